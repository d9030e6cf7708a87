export type Category = 'technology' | 'design' | 'business' | 'marketing' | 'photography'
export type Level = 'beginner' | 'intermediate' | 'advanced'

/** What the catalogue is narrowed down to; all conditions combine. */
export type CourseFilters = {
  /** Folded: no spaces around, single ones inside, at most 100 characters; empty finds everything. */
  search: string
  category: Category | 'all'
  level: Level | 'all'
}

export const categoryNames: Record<Category | 'all', string> = {
  all: 'All Categories',
  technology: 'Technology',
  design: 'Design',
  business: 'Business',
  marketing: 'Marketing',
  photography: 'Photography',
}

export const levelNames: Record<Level | 'all', string> = {
  all: 'All Levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
}

const catalogueAddress = '/AllCourses'
const maxSearchLength = 100

/** Reads `?q=&category=&level=`; a value that does not exist counts as 'all'. */
export function parseCourseFilters(parameters: URLSearchParams): CourseFilters {
  const category = parameters.get('category') ?? 'all'
  const level = parameters.get('level') ?? 'all'
  return {
    search: foldSearch(parameters.get('q') ?? ''),
    category: isKey(categoryNames, category) ? category : 'all',
    level: isKey(levelNames, level) ? level : 'all',
  }
}

/** The shortest address that shows these courses: what is not narrowed down is left out. */
export function addressOfFilters({ search, category, level }: CourseFilters): string {
  const parameters = new URLSearchParams()
  if (search !== '') parameters.set('q', search)
  if (category !== 'all') parameters.set('category', category)
  if (level !== 'all') parameters.set('level', level)
  const query = parameters.toString()
  return query === '' ? catalogueAddress : `${catalogueAddress}?${query}`
}

/** What the catalogue's form says now. */
export function readFilterForm(form: HTMLFormElement): CourseFilters {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return parseCourseFilters(new URLSearchParams(entries))
}

export function writeFilterForm(form: HTMLFormElement, { search, category, level }: CourseFilters): void {
  const values = { q: search, category, level }
  for (const [name, value] of Object.entries(values)) {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value
  }
}

/** Control characters, NUL among them, count as spaces: PostgreSQL refuses NUL in a text. */
export function foldSearch(typed: string): string {
  const folded = typed
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...folded].slice(0, maxSearchLength).join('').trim()
}

function isKey<Key extends string>(names: Record<Key, string>, value: string): value is Key {
  return Object.hasOwn(names, value)
}
