/** One caption of a WebVTT file, in seconds. */
export type Cue = { start: number; end: number; text: string }

/**
 * The index of the cue that is spoken at `seconds`, or of the last one before it; -1 before the
 * first.
 */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  return cues.findLastIndex((cue) => cue.start <= seconds)
}

/**
 * Whether a search finds the cue; letters count alike whatever their case or accents, and so do
 * quotes and spaces.
 */
export function cueMatches({ text }: Cue, search: string): boolean {
  return fold(text).includes(fold(search))
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
