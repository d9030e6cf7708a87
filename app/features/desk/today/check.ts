/** Something that needs attention. */
export type Check = {
  look: 'bad' | 'warn'
  title: string
  /** What to do about it, in a sentence or two. */
  help: string
  /** Where to do it. */
  to?: string
}
