import type { ReactNode } from 'react'

/** Makes words of a sentence a link, so that the sentence stands whole among its feature's messages. */
export type Linked = (words: string) => ReactNode
