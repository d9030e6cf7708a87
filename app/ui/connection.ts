/** Whether an error means that no answer came: no network, or a server that is not there. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

/** @returns the server's answer, or `otherwise` when none came: the page then stays as it is, with what was typed. */
export async function answerOr<Answer, Otherwise>(
  call: () => Promise<Answer>,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  try {
    return await call()
  } catch (error) {
    if (isUnreachable(error)) return otherwise
    throw error
  }
}
