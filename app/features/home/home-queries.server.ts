/**
 * Loads the data of the home page: categories, testimonials, popular courses and the school's
 * numbers.
 */
import { asc, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { demoUid } from '~/features/accounts/account-queries.server'
import { isRealNameInDatabase } from '~/features/accounts/full-name.server'
import { listHomeCourses } from '~/features/catalog/shelf-queries.server'
import type { Database } from '~/server/database/client.server'
import { categories, testimonials } from '~/server/database/schema/index'
import { currentSite } from '~/server/site/site.server'
import type { SiteValues } from '~/server/site/site-values'
import { formatCount, formatNumber } from '~/ui/format-count'

export type Home = Awaited<ReturnType<typeof getHome>>
export type HomeCategory = Home['categories'][number]
export type Testimonial = Home['testimonials'][number]

/**
 * Returns the data of the home page. If a text is null, the page shows the text that Learnify comes
 * with.
 */
export async function getHome(db: Database) {
  const { home, hero, features, categoryCards } = currentSite()
  // 'own' stands for the values that Learnify comes with, and 'real' for values of the school's
  // database.
  const { numbers: numbersChoice = 'own', testimonials: testimonialsChoice = 'own' } = home ?? {}

  const hasSampleNumbers = numbersChoice === 'own'
  const [categoryList, testimonialList, popular, schoolNumbers] = await Promise.all([
    categoryCards
      ? listSchoolCategories(db, categoryCards.en.cards, { hasSampleNumbers })
      : listContentCategories(db, { hasSampleNumbers }),
    listTestimonials(db, testimonialsChoice),
    listHomeCourses(db),
    numbersChoice === 'real' ? listSchoolNumbers(db) : [],
  ])

  return {
    hero: hero?.en ?? null,
    features: features?.en ?? null,
    categoryTexts: categoryCards && { title: categoryCards.en.title, text: categoryCards.en.text },
    categories: categoryList,
    testimonials: testimonialList,
    popular,
    /** If the numbers are null, the page shows those that Learnify comes with. */
    numbers: hasSampleNumbers ? null : schoolNumbers,
  }
}

/**
 * The counts of courses on the cards and the numbers above them are either all samples or all real,
 * because they would contradict each other. So beside sample numbers, a card without a sample count
 * has no count.
 */
type CountOptions = { hasSampleNumbers: boolean }

/** Returns the categories of the content files, in the order of their file. */
async function listContentCategories(db: Database, { hasSampleNumbers }: CountOptions) {
  const rows = await db
    .select({ ...getTableColumns(categories), courseCount: categoryCourseCount })
    .from(categories)
    .where(isNotNull(categories.card))
    .orderBy(asc(categories.position))

  return rows.map((category) => {
    const sampleCount = category.courses === null ? null : `${category.courses} courses`

    return {
      position: category.position,
      name: category.card ?? category.name,
      courses: hasSampleNumbers ? sampleCount : formatCourseCount(category.courseCount),
      catalogue: category.catalogue,
      icon: renderIcon(category.icon),
    }
  })
}

function formatCourseCount(count: number): string {
  return formatCount(count, 'course', 'courses')
}

/**
 * Counts the courses behind a category's card. A card without a category links to the whole
 * catalog.
 */
const categoryCourseCount = sql<number>`(
  select count(*)::int
  from courses
  where published
    and in_catalogue
    and (categories.catalogue is null or category = categories.catalogue)
)`

type SchoolCategory = SiteValues['categoryCards']['en']['cards'][number]

/** Returns the categories that an owner has written at the desk. */
async function listSchoolCategories(
  db: Database,
  cards: readonly SchoolCategory[],
  { hasSampleNumbers }: CountOptions,
) {
  const { rows } = await db.execute<{ category: string; count: number }>(sql`
    select category, count(*)::int as count
    from courses
    where published and in_catalogue
    group by category`)
  const countByCategory = new Map(rows.map(({ category, count }) => [category, count]))
  const totalCount = rows.reduce((sum, { count }) => sum + count, 0)

  return cards.map(({ name, category, icon }, position) => {
    const count = category === null ? totalCount : (countByCategory.get(category) ?? 0)

    return {
      position,
      name,
      courses: hasSampleNumbers ? null : formatCourseCount(count),
      catalogue: category,
      icon: renderIcon(icon),
    }
  })
}

async function listTestimonials(db: Database, choice: 'own' | 'real' | 'off') {
  switch (choice) {
    case 'own':
      return listWrittenTestimonials(db)
    case 'real':
      return listReviewsAsTestimonials(db)
    case 'off':
      return []
  }
}

/** Returns the testimonials that an owner has written, or those of the content files. */
async function listWrittenTestimonials(db: Database) {
  const schoolTestimonials = currentSite().testimonials?.en
  if (schoolTestimonials) {
    return schoolTestimonials.map((testimonial, position) => ({ ...testimonial, position }))
  }

  return db.select().from(testimonials).orderBy(asc(testimonials.position))
}

/** The content files that come with Learnify have the same number of testimonials. */
const maxTestimonials = 8

/** Returns the latest good reviews of learners who show their names. */
async function listReviewsAsTestimonials(db: Database) {
  const { rows } = await db.execute<typeof testimonials.$inferSelect>(sql`
    select
      (row_number() over (order by r.created_at desc, r.id))::int as position,
      r.rating,
      r.comment as text,
      u.name,
      c.title as role
    from reviews r
    join users u on u.id = r.uid
    join courses c on c.id = r.course_id
    where r.rating >= 4
      and length(r.comment) between 40 and 600
      and r.shows_name
      and ${isRealNameInDatabase(sql`u.name`)}
      and r.hidden_at is null
      and r.removed_at is null
      and c.published
      and not u.banned
    order by r.created_at desc, r.id
    limit ${maxTestimonials}`)

  return rows
}

const schoolNumberLabels = {
  learners: ['learner', 'learners'],
  courses: ['course', 'courses'],
  lessons: ['lesson', 'lessons'],
  certificates: ['certificate', 'certificates'],
  fields: ['field', 'fields'],
  languages: ['language', 'languages'],
} as const

type SchoolNumberName = keyof typeof schoolNumberLabels

/** Returns the school's real numbers, without those that are 0 and without the demo account. */
export async function listSchoolNumbers(
  db: Database,
): Promise<(readonly [number: string, label: string])[]> {
  const { rows } = await db.execute<Record<SchoolNumberName, number>>(sql`
    with listed_courses as (
      select id, category, language from courses where published and in_catalogue
    )
    select
      (select count(*)::int from users where id <> ${demoUid}) as learners,
      (select count(*)::int from listed_courses) as courses,
      (
        select count(*)::int
        from counting_lessons
        where course_id in (select id from listed_courses)
      ) as lessons,
      (
        select count(*)::int
        from certificate_register r
        where r.revoked_at is null
          and not exists (
            select from certificates c where c.id = r.id and c.uid = ${demoUid})
      ) as certificates,
      (select count(distinct category)::int from listed_courses) as fields,
      (select count(distinct language)::int from listed_courses) as languages`)
  const counts = Object.entries(rows[0] ?? {}) as [SchoolNumberName, number][]

  return counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => {
      const [singular, plural] = schoolNumberLabels[name]
      return [formatNumber(count), count === 1 ? singular : plural] as const
    })
}

/**
 * Returns an icon as SVG markup. A school may choose any icon of Lucide, so the server renders the
 * icons. Otherwise the browser would have to load all of them.
 *
 * @param name a name of Lucide's catalog, such as 'book-open'. An unknown name gives a book.
 */
function renderIcon(name: string): string {
  return renderToStaticMarkup(
    createElement(findIcon(name) ?? lucide.BookOpen, { strokeWidth: 1.75 }),
  )
}

/** Finds an icon by its current or a previous name. Lucide exports both with the suffix 'Icon'. */
function findIcon(name: string): lucide.LucideIcon | undefined {
  const exports: Record<string, unknown> = lucide
  const pascalCaseName = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
  return exports[`${pascalCaseName}Icon`] as lucide.LucideIcon | undefined
}
