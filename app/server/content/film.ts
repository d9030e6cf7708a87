/** What a player learns of a film before it plays it. */
export type Film = { seconds: number; hasPicture: boolean; codec: string }

/** Reads any part of a film without loading the whole. */
export type FilmFile = { size: number; read(position: number, length: number): Promise<Buffer> }

/** What is wrong with a film, as a sentence with the repair. */
export class FilmProblem extends Error {
  override name = 'FilmProblem'
}
