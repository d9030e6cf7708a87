/** The longest reason that staff can give for an action. */
export const maxReasonLength = 500

type CheckedReason = { ok: true; value: string } | { ok: false; problem: string }

/** Checks the reason that staff gave for an action, and removes white space around it. */
export function checkReason(submittedReason: string): CheckedReason {
  const reason = submittedReason.trim()
  if (reason === '' || reason.length > maxReasonLength) {
    return { ok: false, problem: `Give a reason of at most ${maxReasonLength} characters.` }
  }

  return { ok: true, value: reason }
}
