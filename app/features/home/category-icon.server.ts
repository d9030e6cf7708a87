import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * An operator may name any icon of lucide, so the server draws those that the page shows; the browser gets no table of all
 * of them.
 *
 * @param name as in lucide's catalog, like 'book-open'; one that lucide doesn't know gets a book.
 * @returns the icon's SVG, as HTML.
 */
export function drawIcon(name: string): string {
  return renderToStaticMarkup(createElement(iconNamed(name) ?? lucide.BookOpen, { strokeWidth: 1.75 }))
}

/** Lucide exports each icon, by its former names too, with this suffix. */
function iconNamed(name: string): lucide.LucideIcon | undefined {
  const icons: Record<string, unknown> = lucide
  const exported = `${name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Icon`
  return icons[exported] as lucide.LucideIcon | undefined
}
