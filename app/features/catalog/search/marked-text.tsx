import { Fragment } from 'react'
import type { Marks } from './catalog-query'

type TextPiece = { text: string; isMarked: boolean }

/** Splits a text into pieces inside and outside of the marks. Joined, the pieces are the text. */
export function splitMarkedText(text: string, marks: Marks): TextPiece[] {
  const pieces: TextPiece[] = []
  let previousEnd = 0
  for (const [from, to] of marks) {
    pieces.push(
      { text: text.slice(previousEnd, from), isMarked: false },
      { text: text.slice(from, to), isMarked: true },
    )
    previousEnd = to
  }

  pieces.push({ text: text.slice(previousEnd), isMarked: false })

  return pieces.filter((piece) => piece.text !== '')
}

/** Shows a text with the matches of a search highlighted. */
export function MarkedText({ text, marks }: { text: string; marks: Marks }) {
  if (marks.length === 0) {
    return text
  }

  return splitMarkedText(text, marks).map((piece, index) =>
    piece.isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other identity than its position.
      <mark key={index} className="rounded-sm bg-mark text-inherit">
        {piece.text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other identity than its position.
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  )
}
