import { asc, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { listHomeCourses } from '~/features/catalog/shelf-queries.server'
import type { Database } from '~/server/database/client.server'
import { categories, testimonials } from '~/server/database/schema/index'
import { currentSite } from '~/server/site/site.server'
import { formatCount, formatNumber } from '~/ui/format-count'

export type Home = Awaited<ReturnType<typeof getHome>>
export type HomeCategory = Home['categories'][number]
export type Testimonial = Home['testimonials'][number]

/** A card without a category leads to the whole catalog. */
const coursesOfCategory = sql<number>`(
  select count(*)::int from courses
  where published and in_catalogue and (categories.catalogue is null or category = categories.catalogue))`

const listOwnTestimonials = (db: Database) =>
  db.select().from(testimonials).orderBy(asc(testimonials.position))

/** As many as Learnify's own testimonials. */
const mostTestimonials = 8

async function listTestimonials(db: Database, choice: 'own' | 'real' | 'off') {
  if (choice === 'off') {
    return []
  }

  return choice === 'real' ? listRealTestimonials(db) : listOwnTestimonials(db)
}

/** The latest good reviews of learners who show their names. */
async function listRealTestimonials(db: Database) {
  const { rows } = await db.execute<typeof testimonials.$inferSelect>(sql`
    select (row_number() over (order by r.created_at desc, r.id))::int as position, r.rating, r.comment as text, u.name,
      c.title as role
    from reviews r join users u on u.id = r.uid join courses c on c.id = r.course_id
    where r.rating >= 4 and length(r.comment) between 40 and 600 and r.shows_name and r.hidden_at is null
      and r.removed_at is null and c.published and not u.banned
    order by r.created_at desc, r.id limit ${mostTestimonials}`)

  return rows
}

/** The school's real numbers, without those that are 0. */
export async function countSchool(
  db: Database,
): Promise<(readonly [number: string, label: string])[]> {
  const { rows } = await db.execute<
    Record<'learners' | 'courses' | 'lessons' | 'certificates' | 'fields' | 'languages', number>
  >(sql`
    with shown as (select id, category, language from courses where published and in_catalogue)
    select (select count(*)::int from users) as learners, (select count(*)::int from shown) as courses,
      (select count(*)::int from counting_lessons where course_id in (select id from shown)) as lessons,
      (select count(*)::int from certificate_register) as certificates,
      (select count(distinct category)::int from shown) as fields,
      (select count(distinct language)::int from shown) as languages`)
  const labels = {
    learners: ['learner', 'learners'],
    courses: ['course', 'courses'],
    lessons: ['lesson', 'lessons'],
    certificates: ['certificate', 'certificates'],
    fields: ['field', 'fields'],
    languages: ['language', 'languages'],
  } as const
  const counts = Object.entries(rows[0] ?? {}) as [keyof typeof labels, number][]

  return counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [formatNumber(count), labels[name][count === 1 ? 0 : 1]] as const)
}

/** What the home page shows: categories and testimonials are in the order of their files. */
export async function getHome(db: Database) {
  const { numbers = 'own', testimonials: shown = 'own' } = currentSite().home ?? {}
  const [categoryRows, testimonialRows, popular, figures] = await Promise.all([
    db
      .select({ ...getTableColumns(categories), there: coursesOfCategory })
      .from(categories)
      .where(isNotNull(categories.card))
      .orderBy(asc(categories.position)),
    listTestimonials(db, shown),
    listHomeCourses(db),
    numbers === 'real' ? countSchool(db) : [],
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
    /** Null shows Learnify's own. */
    numbers: numbers === 'own' ? null : figures,
  }
}

/**
 * An operator may name any icon of lucide, so the server draws those that the page shows; the
 * browser gets no table of all of them.
 *
 * @param name as in lucide's catalog, like 'book-open'; one that lucide doesn't know gets a book.
 * @returns the icon's SVG, as HTML.
 */
function drawIcon(name: string): string {
  return renderToStaticMarkup(
    createElement(iconNamed(name) ?? lucide.BookOpen, { strokeWidth: 1.75 }),
  )
}

/** Lucide exports each icon, by its former names too, with this suffix. */
function iconNamed(name: string): lucide.LucideIcon | undefined {
  const icons: Record<string, unknown> = lucide
  const exported = `${name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Icon`
  return icons[exported] as lucide.LucideIcon | undefined
}
