/** @returns false if the browser refused; over plain http it has no clipboard at all. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export const copyOutcomes = { copied: 'Link copied', refused: 'Your browser didn’t allow copying' } as const
