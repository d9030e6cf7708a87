import type { IconShapes } from './category-icon'

const standIn = 'book-open'

/**
 * An operator may name any icon of lucide, so the server sends the shapes of those that the page shows; the browser gets
 * no table of all of them. A name that lucide does not know gets a book.
 */
export async function findIconShapes(name: string): Promise<IconShapes> {
  return (await findIcon(name)) ?? (await findIcon(standIn)) ?? []
}

async function findIcon(name: string): Promise<IconShapes | undefined> {
  if (import.meta.env.PROD) {
    const { shapesOfIcon } = await import('./every-icon.server')
    return shapesOfIcon(name)
  }
  // One by one: a development server would transform two thousand files.
  const { default: icons } = await import('lucide-react/dynamicIconImports.mjs')
  const load = Object.hasOwn(icons, name) ? (icons as Record<string, () => Promise<unknown>>)[name] : undefined
  return ((await load?.()) as { __iconNode?: IconShapes } | undefined)?.__iconNode
}
