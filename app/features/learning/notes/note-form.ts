/**
 * In UTF-16 code units, like `maxlength`; `html` limits a note's HTML, `ofCourse` a learner's
 * number of notes.
 */
export const noteLimits = { body: 5000, html: 40_000, ofCourse: 200 } as const

/** A page of the panel: at most this many notes, fewer if they are long. */
export const notesAPage = 20

/** Which notes the panel shows; in the address, so that it needs no script. */
export type NoteChoice = { scope: 'lesson' | 'course'; from: number }

export function parseNoteChoice(search: URLSearchParams): NoteChoice {
  const from = Number(search.get('notes-from'))
  return {
    scope: search.get('notes') === 'course' ? 'course' : 'lesson',
    from: Number.isInteger(from) && from > 0 && from < noteLimits.ofCourse ? from : 0,
  }
}

export function notesUrl({ scope, from }: NoteChoice): string {
  return `?${new URLSearchParams({ ...(scope === 'course' && { notes: scope }), ...(from > 0 && { 'notes-from': String(from) }) })}`
}
