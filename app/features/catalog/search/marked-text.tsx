import { Fragment } from 'react'
import type { Marks } from './catalog-query'

/** A text in pieces, by turns outside and inside of `marks`; together they are the text. */
export function splitMarkedText(text: string, marks: Marks): { text: string; marked: boolean }[] {
  const pieces: { text: string; marked: boolean }[] = []
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(
      { text: text.slice(at, from), marked: false },
      { text: text.slice(from, to), marked: true },
    )
    at = to
  }

  pieces.push({ text: text.slice(at), marked: false })

  return pieces.filter((piece) => piece.text !== '')
}

/** A text with its matches marked. */
export function MarkedText({ text, marks }: { text: string; marks: Marks }) {
  if (marks.length === 0) {
    return text
  }

  return splitMarkedText(text, marks).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place.
      <mark key={index} className="rounded-sm bg-mark text-inherit">
        {piece.text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  )
}
