import { createContext } from 'react'

/**
 * Marks the scripts of our own while the server renders a page; undefined in a browser, whose pages
 * have no marks.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)
