import { asc, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { listHomeCourses } from '~/features/catalog/shelf-queries.server'
import type { Database } from '~/server/database/client.server'
import { categories, testimonials } from '~/server/database/schema/index'
import { formatCount } from '~/ui/format-count'

export type Home = Awaited<ReturnType<typeof getHome>>
export type HomeCategory = Home['categories'][number]
export type Testimonial = Home['testimonials'][number]

/** A card without a category leads to the whole catalog. */
const coursesOfCategory = sql<number>`(
  select count(*)::int from courses
  where published and in_catalogue and (categories.catalogue is null or category = categories.catalogue))`

/** What the home page shows: categories and testimonials are in the order of their files. */
export async function getHome(db: Database) {
  const [categoryRows, testimonialRows, popular] = await Promise.all([
    db
      .select({ ...getTableColumns(categories), there: coursesOfCategory })
      .from(categories)
      .where(isNotNull(categories.card))
      .orderBy(asc(categories.position)),
    db.select().from(testimonials).orderBy(asc(testimonials.position)),
    listHomeCourses(db),
  ])
  return {
    categories: categoryRows.map(({ position, name, card, courses, there, icon, catalogue }) => ({
      position,
      name: card ?? name,
      courses: courses === null ? formatCount(there, 'course', 'courses') : `${courses} courses`,
      catalogue,
      icon: drawIcon(icon),
    })),
    testimonials: testimonialRows,
    popular,
  }
}

/**
 * An operator may name any icon of lucide, so the server draws those that the page shows; the browser gets no table of all
 * of them.
 *
 * @param name as in lucide's catalog, like 'book-open'; one that lucide doesn't know gets a book.
 * @returns the icon's SVG, as HTML.
 */
function drawIcon(name: string): string {
  return renderToStaticMarkup(createElement(iconNamed(name) ?? lucide.BookOpen, { strokeWidth: 1.75 }))
}

/** Lucide exports each icon, by its former names too, with this suffix. */
function iconNamed(name: string): lucide.LucideIcon | undefined {
  const icons: Record<string, unknown> = lucide
  const exported = `${name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Icon`
  return icons[exported] as lucide.LucideIcon | undefined
}
