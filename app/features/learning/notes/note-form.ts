export const noteLimits = {
  /** The length of the text in UTF-16 code units, like the attribute `maxlength`. */
  body: 5000,
  /** The length of the HTML in UTF-16 code units. */
  html: 40_000,
  /** The number of notes that a learner can have in a course. */
  perCourse: 200,
} as const

/** The largest number of notes on a page of the notes panel. Pages with long notes have fewer. */
export const notesPerPage = 20

/** The notes that the panel displays. The choice is in the URL, so it works without JavaScript. */
export type NoteChoice = { scope: 'lesson' | 'course'; from: number }

export function parseNoteChoice(search: URLSearchParams): NoteChoice {
  const scope = search.get('notes') === 'course' ? 'course' : 'lesson'
  const from = Number(search.get('notes-from'))
  const isFromValid = Number.isInteger(from) && from > 0 && from < noteLimits.perCourse

  return { scope, from: isFromValid ? from : 0 }
}

export function notesUrl({ scope, from }: NoteChoice): string {
  const search = new URLSearchParams()
  if (scope === 'course') {
    search.set('notes', scope)
  }

  if (from > 0) {
    search.set('notes-from', String(from))
  }

  return `?${search}`
}
