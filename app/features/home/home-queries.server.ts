import { asc } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { categories, testimonials } from '~/server/database/schema'
import { drawIcon } from './category-icon.server'

export type Home = Awaited<ReturnType<typeof getHome>>
export type HomeCategory = Home['categories'][number]
export type Testimonial = Home['testimonials'][number]

/** What the home page shows from `content/`: both lists in the order of their file. */
export async function getHome(db: Database) {
  const [categoryRows, testimonialRows] = await Promise.all([
    db.select().from(categories).orderBy(asc(categories.position)),
    db.select().from(testimonials).orderBy(asc(testimonials.position)),
  ])
  return {
    categories: categoryRows.map(({ position, name, courses, icon, catalogue }) => ({
      position,
      name,
      courses,
      catalogue,
      icon: drawIcon(icon),
    })),
    testimonials: testimonialRows,
  }
}
