/** What is wrong with a film, as a sentence with the repair. */
export class FilmProblem extends Error {
  override name = 'FilmProblem'
}
