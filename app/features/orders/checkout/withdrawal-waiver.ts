/**
 * The box at checkout by which a learner gives up the right of withdrawal, so that the course opens
 * at once.
 */
export type Waiver = { text: string; isRequired: boolean }

export const waiverMissing = 'Please tick this box to go on.'
export const waiverChanged = 'This text has changed. Please read it again.'

/**
 * @param ticked the text beside the box as the learner saw it; null for an empty box.
 * @returns the text that was agreed to, or why the form is refused.
 */
export function checkWaiver(
  waiver: Waiver | null,
  ticked: string | null,
): { text: string | null } | { error: string } {
  if (!waiver) {
    return { text: null }
  }

  if (ticked === null) {
    return waiver.isRequired ? { error: waiverMissing } : { text: null }
  }

  return ticked === waiver.text ? { text: ticked } : { error: waiverChanged }
}
