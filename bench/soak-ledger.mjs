/** What a learner of the soak bench had acknowledged. */
export const courseId = 'python-from-zero'
export const filmId = 'names-and-values'
export const password = 'Correct-horse-7'

/** Nothing done yet. @param one `email` if it has a password. */
export function newLearner({ uid, email = '' }) {
  return {
    uid,
    email,
    enrolled: new Set(),
    wishes: new Set(),
    votes: new Set(),
    done: new Set(),
    notes: new Map(),
    answered: new Set(),
    practiced: new Set(),
    exams: new Map(),
    /** Pieces of the film, and the time of each visit. */
    films: /** @type {number[][]} */ ([]),
    visits: /** @type {{ openedAt: number, until: number }[]} */ ([]),
    filmMs: 0,
    review: '',
    location: '',
    photos: 0,
    archives: 0,
    certificate: '',
  }
}
