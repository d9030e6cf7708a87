import { createContext } from 'react'

/**
 * The nonce that marks our own scripts while the server renders a page. It is undefined in
 * a browser, where pages have no nonce.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)
