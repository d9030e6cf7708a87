/**
 * Finds characters that people can't see in a text.
 *
 * Two texts that look the same can differ by an invisible character, and a name that consists of
 * invisible characters looks empty.
 */

/** Returns the first invisible character of a text, like 'zero width space (U+200B)', or null. */
export function findInvisibleCharacter(text: string): string | null {
  const character = invisibleCharacter.exec(text)?.[0]
  if (character === undefined) {
    return null
  }

  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const characterName = invisibleCharacterNames[character]

  return characterName === undefined ? code : `${characterName} (${code})`
}

/**
 * Matches an invisible character: controls, format characters, unassigned characters, fillers, the
 * Braille blank, and every space except U+0020.
 */
const invisibleCharacter = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Readable names of the invisible characters that are copied most often. */
const invisibleCharacterNames: Partial<Record<string, string>> = {
  '\t': 'tab',
  '\n': 'line break',
  '\r': 'line break',
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\u2800': 'Braille blank',
  '\u3164': 'Hangul filler',
  '\ufeff': 'byte order mark',
}

/**
 * Returns whether a text has a visible letter. Blank letters, like the Hangul filler, don't count.
 * Unicode marks them as ignorable.
 */
export function hasVisibleLetter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(text)
}

/**
 * Returns whether a text has a visible character. The Braille blank (U+2800) doesn't count,
 * although Unicode classifies it as a symbol.
 */
export function hasVisibleCharacter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/**
 * Matches characters that change the direction of the text around them, as a name could do on a
 * page.
 */
export const directionControls = /\p{Bidi_Control}/gu
