/** Controls, format characters, fillers and every space but the common one. */
const invisible = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** By the Unicode standard's names, the ones that text is most often copied with. */
const names: Record<string, string> = {
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

/** @returns the text's first invisible character, like 'zero width space (U+200B)', or null. */
export function findInvisibleCharacter(text: string): string | null {
  const character = invisible.exec(text)?.[0]
  if (character === undefined) {
    return null
  }

  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const name = names[character]

  return name ? `${name} (${code})` : code
}

/** Whether a text has a letter that people see: some, like the Hangul filler, are blank. */
export function hasVisibleLetter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(text)
}

/** Whether a text has anything that people see; the Braille blank is a symbol by its category. */
export function hasVisibleCharacter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/** Characters that change the direction of the surrounding text, even outside of the name. */
export const directionControls = /\p{Bidi_Control}/gu
