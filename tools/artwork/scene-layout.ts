/** The measures of title cards and diagrams, and helpers that set their texts and times. */
import type { Scene } from './storyboard.ts'
import { group, type Point, round } from './svg.ts'
import { textWidth } from './type.ts'

export const width = 640
export const height = 360
export const leftMargin = 52
/** The width between the left and the right margin. */
export const textRoom = width - 2 * leftMargin
export const white = '#ffffff'

export type TextBlock = { size: number; lines: string[] }

/**
 * Breaks a text into lines. Returns the largest size at which the text fits into a width and a
 * number of lines. A text that does not fit at the smallest size has more lines.
 */
export function fitText(
  text: string,
  maxWidth: number,
  { maxSize, minSize, maxLines }: { maxSize: number; minSize: number; maxLines: number },
): TextBlock {
  for (let size = maxSize; ; size--) {
    const lines = wrapText(text, size, maxWidth)
    const fits =
      lines.length <= maxLines && lines.every((line) => textWidth(line, size) <= maxWidth)
    if (fits || size <= minSize) {
      return { size, lines: balanceLines(text, size, { maxWidth, lineCount: lines.length }) }
    }
  }
}

/**
 * Breaks a text at the smallest width that gives the same number of lines, so that no word is left
 * alone on the last line.
 */
function balanceLines(
  text: string,
  size: number,
  { maxWidth, lineCount }: { maxWidth: number; lineCount: number },
): string[] {
  let balancedWidth = maxWidth
  while (
    balancedWidth > maxWidth * 0.4 &&
    wrapText(text, size, balancedWidth - 8).length === lineCount
  ) {
    balancedWidth -= 8
  }

  return wrapText(text, size, balancedWidth)
}

function wrapText(text: string, size: number, maxWidth: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longerLine = line ? `${line} ${word}` : word
    if (line && textWidth(longerLine, size) > maxWidth) {
      lines.push(line)
      line = word
    } else {
      line = longerLine
    }
  }

  return [...lines, line]
}

/**
 * Returns the times at which the parts of a scene appear: evenly from `first` until about two
 * thirds of the scene.
 */
export function spreadTimes({ seconds }: Scene, count: number, first: number): number[] {
  const last = Math.max(first, seconds * 0.62)
  if (count === 1) {
    return [first]
  }

  return Array.from({ length: count }, (_, index) => first + (index * (last - first)) / (count - 1))
}

export function clamp(value: number): number {
  return Math.max(0, Math.min(1, value))
}

/**
 * Returns 0 before `start` and 1 after `start + length`. In between, it grows more and more slowly.
 */
export function easeOut(time: number, start: number, length = 0.5): number {
  return 1 - (1 - clamp((time - start) / length)) ** 3
}

/**
 * Fades content in while it moves to its place. At a share of 0 it is invisible, and at 1 in place.
 */
export function appear(share: number, content: string, [dx, dy]: Point = [0, 12]): string {
  if (share <= 0) {
    return ''
  }

  if (share >= 1) {
    return content
  }

  const rest = 1 - share
  return group(
    { opacity: round(share, 2), transform: `translate(${round(rest * dx)} ${round(rest * dy)})` },
    content,
  )
}
