/**
 * Finds characters that nobody sees, because two texts can look the same and still differ by them.
 */

/** Matches controls, format characters, fillers and every space except U+0020. */
const invisibleCharacter = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** The Unicode names of the invisible characters that are copied most often. */
const invisibleCharacterNames: Record<string, string> = {
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
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2069': 'pop directional isolate',
  '\u3164': 'Hangul filler',
  '\ufeff': 'byte order mark',
}

/** Returns the first invisible character of a text, like 'zero width space (U+200B)', or null. */
export function findInvisibleCharacter(text: string): string | null {
  const character = invisibleCharacter.exec(text)?.[0]
  if (character === undefined) {
    return null
  }

  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const name = invisibleCharacterNames[character]

  return name ? `${name} (${code})` : code
}

/** Returns whether a text has a visible letter. Some letters, like the Hangul filler, are blank. */
export function hasVisibleLetter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(text)
}

/** Returns whether a text has a visible character. Unicode counts the Braille blank as a symbol. */
export function hasVisibleCharacter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/** Matches characters that change the direction of the text around a name. */
export const directionControls = /\p{Bidi_Control}/gu
