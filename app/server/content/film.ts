/** The header data that a player reads before playing. */
export type Film = { seconds: number; hasPicture: boolean; codec: string }

/** Reads any part of a video without loading all of it. */
export type FilmFile = { size: number; read(position: number, length: number): Promise<Buffer> }

/** A video's problem, as a sentence with the fix. */
export class FilmProblem extends Error {
  override name = 'FilmProblem'
}
