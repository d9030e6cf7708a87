/**
 * The forms of the texts of Home: loads the values of their fields, and reads the submitted values.
 */
import { asc, isNotNull } from 'drizzle-orm'
import { defaultCategoryTexts, defaultFeatures, defaultHero } from '~/features/home/home-texts'
import type { Database } from '~/server/database/client.server'
import { categories, testimonials } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { currentSite } from '~/server/site/site.server'
import { homeLimits } from '~/server/site/site-values'
import { type DeskChangeRequest, readText } from '../desk-form.server'

export type HomeTextForms = Awaited<ReturnType<typeof loadHomeTextForms>>

/** Returns the values of the forms: the owner's texts, or else those that Learnify comes with. */
export async function loadHomeTextForms(db: Database) {
  const { hero, features, categoryCards, testimonials: ownTestimonials } = currentSite()
  const contentCategories = await db.select().from(categories).orderBy(asc(categories.position))
  const contentTestimonials = await db
    .select()
    .from(testimonials)
    .orderBy(asc(testimonials.position))

  const contentCards = contentCategories
    .filter(({ card }) => card !== null)
    .map(({ card, name, catalogue, icon }) => ({ name: card ?? name, category: catalogue, icon }))
  const testimonialRows = ownTestimonials?.en ?? contentTestimonials

  return {
    hero: hero?.en ?? defaultHero,
    features: features?.en ?? defaultFeatures,
    categoryCards: categoryCards?.en ?? { ...defaultCategoryTexts, cards: contentCards },
    testimonials: testimonialRows.slice(0, homeLimits.testimonials),
    limits: homeLimits,
    /** The categories that a card can lead to. */
    categoryOptions: contentCategories.flatMap(({ id, name }) => (id ? [{ id, name }] : [])),
  }
}

/** Returns the IDs of the categories that a card can lead to. */
async function listCategoryIds(db: Pick<Database, 'select'>): Promise<(string | null)[]> {
  const rows = await db
    .select({ id: categories.id })
    .from(categories)
    .where(isNotNull(categories.id))
  return rows.map(({ id }) => id)
}

/** Returns the first section's texts, or null if both fields are empty. */
export function readHero(request: DeskChangeRequest) {
  const hero = { title: readLine(request, 'title'), text: readLine(request, 'text') }
  return hero.title || hero.text ? { en: hero } : null
}

/** Returns the texts of 'How it works', or null if all fields are empty. */
export function readFeatures(request: DeskChangeRequest) {
  const title = readLine(request, 'title')
  const cards = listRows(homeLimits.featureCards, (row) => {
    const card = {
      title: readLine(request, `title-${row}`),
      text: readLine(request, `text-${row}`),
    }
    return card.title || card.text ? card : null
  })

  const isEmpty = title === '' && cards.every((card) => card === null)
  return isEmpty ? null : { en: { title, cards } }
}

/**
 * Reads the categories of Home, or null if all fields are empty. Fails if a card leads to an
 * unknown category.
 */
export async function readCategoryCards(request: DeskChangeRequest): Promise<Result<unknown>> {
  const texts = { title: readLine(request, 'title'), text: readLine(request, 'text') }
  const cards = listRows(homeLimits.categoryCards, (row) => ({
    name: readLine(request, `name-${row}`),
    category: readText(request, `category-${row}`) || null,
    icon: readText(request, `icon-${row}`),
  })).filter(({ name }) => name !== '')
  if (texts.title === '' && texts.text === '' && cards.length === 0) {
    return success(null)
  }

  const allowedIds = [null, ...(await listCategoryIds(request.transaction))]
  const hasUnknownCategory = cards.some(({ category }) => !allowedIds.includes(category))
  if (hasUnknownCategory) {
    return failure('A category was removed. Choose where its card leads.')
  }

  return success({ en: { ...texts, cards } })
}

/** Returns the testimonials, or null if all rows are empty. */
export function readTestimonials(request: DeskChangeRequest) {
  const entries = listRows(homeLimits.testimonials, (row) => ({
    rating: Number(readText(request, `rating-${row}`)),
    text: readLine(request, `text-${row}`),
    name: readLine(request, `name-${row}`),
    role: readLine(request, `role-${row}`),
  })).filter(({ text, name, role }) => text || name || role)

  return entries.length > 0 ? { en: entries } : null
}

/** Returns a submitted text as one line. */
function readLine(request: DeskChangeRequest, name: string): string {
  return readText(request, name).replaceAll(/\s+/g, ' ')
}

/** Returns what `readRow` returns for each row, counted from 0. */
function listRows<Row>(count: number, readRow: (row: number) => Row): Row[] {
  return Array.from({ length: count }, (_, row) => readRow(row))
}
