import { accountLimits } from '../account-limits'
import { directionControls, hasVisibleCharacter } from '../form/visible-text'

/**
 * Names of a first social sign-in: the provider's first word and the remaining words; without a visible display
 * name the first name is 'User' and the last name is empty.
 */
export function socialNames(displayName: string | null | undefined): { firstName: string; lastName: string } {
  const plain = (displayName ?? '').replaceAll('\0', '').replaceAll(directionControls, '')
  const words = plain.split(/\s+/).filter(hasVisibleCharacter)
  const [firstName = 'User', ...rest] = words
  return { firstName: shorten(firstName), lastName: shorten(rest.join(' ')) }
}

/** Whole characters only: a cut in the middle of a pair of surrogates would not be a character any more. */
function shorten(name: string): string {
  let short = ''
  for (const character of name) {
    if (short.length + character.length > accountLimits.name) break
    short += character
  }
  return short
}

/** Whether a name is as long as names can be, so that it may have been cut; the form then says so. */
export function mayBeCut(name: string): boolean {
  return name.length >= accountLimits.name - 1
}
