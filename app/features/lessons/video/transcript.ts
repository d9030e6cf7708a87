/** One caption of a WebVTT file, in seconds. */
export type Cue = { start: number; end: number; text: string }

const timing = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})/

/** Reads the cues of a WebVTT file; what it does not understand, styles and notes included, it skips. */
export function parseTranscript(vtt: string): Cue[] {
  return vtt
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n')
      const index = lines.findIndex((line) => timing.test(line))
      const [, start, end] = lines[index]?.match(timing) ?? []
      const text = plainText(lines.slice(index + 1).join(' '))
      return start && end && text ? [{ start: secondsOf(start), end: secondsOf(end), text }] : []
    })
}

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ' }

function plainText(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|nbsp);/g, (entity) => entities[entity] ?? entity)
    .trim()
}

/** The index of the cue that is spoken at `seconds`, or of the last one before it; -1 before the first. */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  return cues.findLastIndex((cue) => cue.start <= seconds)
}

/** Whether a search finds the cue; letters count alike whatever their case or accents. */
export function cueMatches({ text }: Cue, search: string): boolean {
  return fold(text).includes(fold(search.trim()))
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
