/** The colors of Learnify's pictures. Each category has a family of colors, from dark to light. */
import { random } from './svg.ts'

export const ink = '#0f1222'
export const accent = '#5b4cf0'

export type Palette = {
  deep: string
  mid: string
  hue: string
  light: string
  /** The only contrasting color of a picture. It marks what the picture is about. */
  spark: string
}

const categoryPalettes: Record<string, Palette> = {
  technology: {
    deep: '#0e1540',
    mid: '#2a44c4',
    hue: '#4f6bed',
    light: '#c3ceff',
    spark: '#ffc078',
  },
  design: { deep: '#3a0a2b', mid: '#a52a63', hue: '#d9467a', light: '#ffcbdc', spark: '#ffd28c' },
  business: { deep: '#04231f', mid: '#0a6a55', hue: '#0f8a6d', light: '#b4f0d9', spark: '#ffd479' },
  marketing: {
    deep: '#5c1f08',
    mid: '#cf7410',
    hue: '#f0a030',
    light: '#ffecc4',
    spark: '#ffffff',
  },
  photography: {
    deep: '#190d3d',
    mid: '#55309f',
    hue: '#7a4fd0',
    light: '#e0d0ff',
    spark: '#ffc59b',
  },
}

/** The category of each course that has artwork of its own. */
const courseCategories: Record<string, string> = {
  'complete-web-development': 'technology',
  'python-from-zero': 'technology',
  'data-structures-and-algorithms': 'technology',
  'machine-learning-foundations': 'technology',
  'interface-design-fundamentals': 'design',
  'typography-for-screens': 'design',
  'design-systems-that-last': 'design',
  'project-management-in-practice': 'business',
  'business-strategy-essentials': 'business',
  'financial-modelling': 'business',
  'digital-marketing-essentials': 'marketing',
  'content-and-search': 'marketing',
  'photography-light-and-composition': 'photography',
}

/**
 * The colors in which a course differs from its category, so that a row of courses does not look
 * like copies.
 */
const courseColors: Record<string, Partial<Palette>> = {
  'python-from-zero': { mid: '#1f57b8', hue: '#3f86ea', light: '#c4e2ff' },
  'data-structures-and-algorithms': {
    deep: '#15103f',
    mid: '#4a3cc9',
    hue: '#6a63f0',
    light: '#d2cdff',
  },
  'machine-learning-foundations': {
    deep: '#0b1538',
    mid: '#2348a8',
    hue: '#4a74e8',
    light: '#c8dbff',
    spark: '#ff9f8f',
  },
  'typography-for-screens': { deep: '#3b0c22', mid: '#b0324f', hue: '#e3566f', light: '#ffd3d0' },
  'design-systems-that-last': { deep: '#2f0d3c', mid: '#8f2c80', hue: '#cc4a9a', light: '#fccbea' },
  'business-strategy-essentials': {
    deep: '#04222b',
    mid: '#0a5f6b',
    hue: '#12868c',
    light: '#b5edf0',
  },
  'financial-modelling': { deep: '#07251a', mid: '#16704a', hue: '#2a9664', light: '#c3f3d3' },
  'content-and-search': { deep: '#57180f', mid: '#d15a22', hue: '#f0853c', light: '#ffdcc2' },
}

/**
 * Returns the colors of a course.
 *
 * @param category the category of a course without artwork of its own. If the category has no
 * colors, the slug of the course decides them.
 */
export function coursePalette(slug: string, category?: string): Palette {
  const family = courseCategories[slug] ?? findFamily(category) ?? pickFamily(slug)
  return { ...(categoryPalettes[family] as Palette), ...courseColors[slug] }
}

function findFamily(category: string | undefined): string | null {
  const hasColors = category !== undefined && Object.keys(categoryPalettes).includes(category)
  return hasColors ? category : null
}

function pickFamily(slug: string): string {
  const families = Object.keys(categoryPalettes)
  return families[Math.floor(random(slug)() * families.length)] ?? 'technology'
}
