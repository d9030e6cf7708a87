import type { IconNode } from 'lucide-react'
import dynamicIconImports from 'lucide-react/dynamicIconImports'

/** The shapes of one 24 by 24 icon, as tag and attributes. */
export type IconShapes = readonly (readonly [IconNode[number][0], Record<string, string>])[]

const standIn = 'book-open'

/**
 * An operator may name any icon of lucide, so the server sends the shapes of those that the page shows; the browser gets
 * no table of all of them. A name that lucide does not know gets a book.
 */
export async function findIconShapes(name: string): Promise<IconShapes> {
  const icons: Record<string, (() => Promise<unknown>) | undefined> = dynamicIconImports
  const load = Object.hasOwn(icons, name) ? icons[name] : icons[standIn]
  return shapesOf(await load?.())
}

function shapesOf(icon: unknown): IconShapes {
  return (icon as { __iconData?: { node: IconShapes } }).__iconData?.node ?? []
}
