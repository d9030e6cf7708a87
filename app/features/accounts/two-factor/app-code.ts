/** Reads codes of an authenticator app, which have six digits. */
import { cleanCode } from '~/ui/form/clean-text'

/** Returns the six digits of a typed code, or null if the text is no code of an app. */
export function parseAppCode(typedCode: string): string | null {
  const code = cleanCode(typedCode)
  return /^\d{6}$/.test(code) ? code : null
}

/**
 * Returns whether a typed code has digits only, but not six. No recovery code looks like this,
 * because it is longer.
 */
export function isIncompleteAppCode(typedCode: string): boolean {
  return /^(?:\d{1,5}|\d{7,11})$/.test(cleanCode(typedCode))
}
