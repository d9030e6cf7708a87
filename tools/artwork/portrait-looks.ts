/** The looks of the instructors, and the colors of which a look consists. */
import { clothes, type glasses, hairStyles } from './portrait-shapes.ts'
import { random } from './svg.ts'

export const skinColors = {
  fair: '#f3cfb3',
  rose: '#eebd9f',
  olive: '#dba983',
  tan: '#cf9567',
  brown: '#a76c46',
  deep: '#7b4a2f',
  dark: '#5d3825',
}

export const hairColors = {
  black: '#1d1a22',
  espresso: '#35231f',
  brown: '#5d3b28',
  chestnut: '#7c4a2c',
  auburn: '#a5522b',
  blond: '#d9ac62',
  silver: '#b9bcc6',
  gray: '#80838f',
}

/** The light and the dark color of each background. */
export const backgroundColors = {
  indigo: ['#d9d5ff', '#a79dfb'],
  blue: ['#d5e2ff', '#93b1f6'],
  rose: ['#ffdce6', '#f2a3bd'],
  green: ['#d2f1e4', '#86cfb3'],
  amber: ['#ffe8c2', '#f3bd6c'],
  purple: ['#e9dcff', '#bb9bea'],
  teal: ['#d0f0f0', '#84c8cd'],
} as const

export const clothColors = {
  navy: '#27305c',
  ink: '#23263b',
  indigo: '#5b4cf0',
  moss: '#3f6b57',
  wine: '#8a2f4f',
  rust: '#b5562f',
  mustard: '#cf9a35',
  sky: '#4f7fd0',
  plum: '#64418f',
  teal: '#1f7a80',
  sand: '#d8c6a8',
  white: '#f4f2ee',
}

export type Look = {
  skin: keyof typeof skinColors
  hair: keyof typeof hairColors
  hairStyle: keyof typeof hairStyles
  clothing: keyof typeof clothes
  cloth: keyof typeof clothColors
  /** The color of the shirt under a blazer. */
  innerCloth?: keyof typeof clothColors
  background: keyof typeof backgroundColors
  beard?: 'full' | 'short'
  glasses?: keyof typeof glasses
  hasEarrings?: boolean
}

const looks: Record<string, Look> = {
  'sofia-lindqvist': {
    skin: 'fair',
    hair: 'blond',
    hairStyle: 'long',
    clothing: 'crew',
    cloth: 'navy',
    background: 'blue',
  },
  'amara-okafor': {
    skin: 'deep',
    hair: 'black',
    hairStyle: 'afro',
    clothing: 'crew',
    cloth: 'mustard',
    background: 'indigo',
    hasEarrings: true,
  },
  'hiroshi-tanaka': {
    skin: 'olive',
    hair: 'black',
    hairStyle: 'swept',
    clothing: 'blazer',
    cloth: 'ink',
    innerCloth: 'white',
    background: 'teal',
    glasses: 'square',
  },
  'elena-marchetti': {
    skin: 'rose',
    hair: 'espresso',
    hairStyle: 'bob',
    clothing: 'turtleneck',
    cloth: 'wine',
    background: 'blue',
    glasses: 'round',
  },
  'noor-haddad': {
    skin: 'olive',
    hair: 'black',
    hairStyle: 'wavy',
    clothing: 'blazer',
    cloth: 'moss',
    innerCloth: 'sand',
    background: 'rose',
  },
  'piet-van-dongen': {
    skin: 'fair',
    hair: 'gray',
    hairStyle: 'crop',
    beard: 'full',
    clothing: 'turtleneck',
    cloth: 'ink',
    background: 'amber',
    glasses: 'round',
  },
  'priya-raman': {
    skin: 'brown',
    hair: 'black',
    hairStyle: 'bun',
    clothing: 'shirt',
    cloth: 'teal',
    background: 'purple',
    hasEarrings: true,
  },
  'tomasz-zielinski': {
    skin: 'rose',
    hair: 'brown',
    hairStyle: 'swept',
    beard: 'short',
    clothing: 'shirt',
    cloth: 'sky',
    background: 'green',
  },
  'mei-ling-chow': {
    skin: 'olive',
    hair: 'black',
    hairStyle: 'fringe',
    clothing: 'blazer',
    cloth: 'navy',
    innerCloth: 'white',
    background: 'teal',
  },
  'david-mensah': {
    skin: 'dark',
    hair: 'black',
    hairStyle: 'crop',
    beard: 'short',
    clothing: 'blazer',
    cloth: 'navy',
    innerCloth: 'white',
    background: 'green',
  },
  'camila-duarte': {
    skin: 'tan',
    hair: 'espresso',
    hairStyle: 'curls',
    clothing: 'crew',
    cloth: 'rust',
    background: 'amber',
  },
  'oliver-grant': {
    skin: 'fair',
    hair: 'auburn',
    hairStyle: 'swept',
    clothing: 'crew',
    cloth: 'moss',
    background: 'amber',
    glasses: 'square',
  },
  'ingrid-solheim': {
    skin: 'rose',
    hair: 'silver',
    hairStyle: 'bun',
    clothing: 'turtleneck',
    cloth: 'plum',
    background: 'purple',
  },
}

/** Returns the look of an instructor. The name of an instructor without one decides the look. */
export function getLook(slug: string): Look {
  return looks[slug] ?? createLook(slug)
}

function createLook(slug: string): Look {
  const nextRandom = random(slug)
  const pickKey = <Key extends string>(record: Record<Key, unknown>) => {
    const keys = Object.keys(record) as Key[]
    return keys[Math.floor(nextRandom() * keys.length)] as Key
  }

  // The order of these lines decides the looks of existing instructors.
  const hairStyle = pickKey(hairStyles)
  return {
    skin: pickKey(skinColors),
    hair: pickKey(hairColors),
    hairStyle,
    cloth: pickKey(clothColors),
    clothing: pickKey(clothes),
    background: pickKey(backgroundColors),
    innerCloth: 'white',
    beard: hairStyle === 'crop' && nextRandom() < 0.5 ? 'short' : undefined,
    glasses: nextRandom() < 0.3 ? 'round' : undefined,
  }
}
