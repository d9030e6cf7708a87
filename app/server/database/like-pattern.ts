/** Returns a LIKE pattern for texts that contain this text, character by character. */
export function createLikePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
