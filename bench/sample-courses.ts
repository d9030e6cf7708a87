import { random } from '../tools/artwork/svg.ts'
import * as words from './sample-words.ts'

/** So many other words there are, and so many of other last names. */
const rareWords = 40_000
const lastNames = 30_000

/** Numbers from 0 to 1 that are the same for the same seed. */
type Draw = ReturnType<typeof random>

/** A rank below `count` by Zipf's law: rank r comes about as often as 1 / (r + 1). */
const rankOf = (draw: Draw, count: number) =>
  Math.min(count - 1, Math.floor((count + 1) ** draw()) - 1)
const oneOf = <Item>(draw: Draw, list: readonly Item[]) => list[rankOf(draw, list.length)] as Item
const evenlyOf = <Item>(draw: Draw, list: readonly Item[]) =>
  list[Math.floor(draw() * list.length)] as Item

/** A name, as often as its share in a hundred. */
function shareOf<Name extends string>(draw: Draw, shares: Record<Name, number>): Name {
  const names = Object.keys(shares) as Name[]
  return evenlyOf(
    draw,
    names.flatMap((name) => Array<Name>(shares[name]).fill(name)),
  )
}

/** About normal, with a deviation of 1. */
const normal = (draw: Draw) => (draw() + draw() + draw() + draw() - 2) * Math.sqrt(3)

/** A word of its own for each number, the shorter ones first. */
function madeUp(number: number): string {
  let word = ''
  for (
    let rest = number + words.syllables.length;
    rest > 0;
    rest = Math.floor(rest / words.syllables.length)
  ) {
    word += words.syllables[rest % words.syllables.length]
  }

  return word
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function titleOf(draw: Draw, topic: string, other: string): string {
  const kind = draw()
  if (kind < 0.25) {
    return `${oneOf(draw, words.beginnings)} ${topic}`
  }

  if (kind < 0.5) {
    return `${topic} ${oneOf(draw, words.endings)}`
  }

  if (kind < 0.65) {
    return `${topic} and ${other}`
  }

  if (kind < 0.85) {
    return `${topic}: ${capital(madeUp(rankOf(draw, rareWords)))} ${oneOf(draw, words.endings)}`
  }

  return `${oneOf(draw, words.beginnings)} ${topic} with ${capital(madeUp(rankOf(draw, rareWords)))}`
}

function sentenceOf(draw: Draw, topic: string, length: number): string {
  const text = Array.from({ length }, () =>
    draw() < 0.8 ? oneOf(draw, words.plainWords) : madeUp(rankOf(draw, rareWords)),
  )
  text.splice(Math.floor(draw() * length), 0, topic)
  return `${capital(text.join(' '))}.`
}

/**
 * A row of `courses`.
 *
 * @param rank from 0, the most popular course first; courses of a higher rank have at least as many
 * students.
 */
export function makeSampleCourse(rank: number, portraits: readonly string[]) {
  const draw = random(`course ${rank}`)
  const category = shareOf(draw, words.categoryShares)
  const [topic, other] = [
    oneOf(draw, words.topics[category]),
    evenlyOf(draw, words.topics[category]),
  ]
  const instructor = `${oneOf(draw, words.givenNames)} ${capital(madeUp(rankOf(draw, lastNames)))}`
  const priceCents = draw() < 0.08 ? 0 : Math.round(Math.exp(normal(draw) * 0.6 + 4.2)) * 100 - 1
  const rating = Math.min(5, Math.max(1, Math.round((4.35 + normal(draw) * 0.4) * 10) / 10))
  const students = Math.floor(900_000 / (rank + 20) ** 0.75)
  const skills = [
    topic,
    other,
    `${topic} ${oneOf(draw, words.endings)}`,
    `${other} ${oneOf(draw, words.endings)}`,
  ]
  const summary = `${sentenceOf(draw, topic, 7)} ${sentenceOf(draw, other, 9)}`

  return {
    id: `sample-${String(rank + 1).padStart(7, '0')}`,
    title: titleOf(draw, topic, other),
    subtitle: sentenceOf(draw, topic, 6),
    summary,
    description: `${summary} ${sentenceOf(draw, topic, 12)}`,
    category,
    level: shareOf(draw, words.levelShares),
    language: shareOf(draw, words.languageShares),
    in_catalogue: true,
    published: true,
    price_cents: priceCents,
    original_price_cents: Math.round(priceCents * (1 + draw())),
    duration_hours: Math.round(Math.exp(normal(draw) * 0.9 + 2.2) * 2 + 1) / 2,
    lectures: 10 + Math.floor(draw() * 200),
    downloadable_resources: Math.floor(draw() * 30),
    students,
    rating,
    reviews: Math.floor(students * draw() * 0.2),
    last_updated: new Date(Date.UTC(2026, 9, 31) - Math.floor(draw() ** 2 * 1500) * 86_400_000)
      .toJSON()
      .slice(0, 10),
    instructor_name: instructor,
    instructor: {
      name: instructor,
      title: `Teaches ${topic}`,
      experience: `${1 + Math.floor(draw() * 30)} years of ${topic}`,
      students,
      courses: 1 + rankOf(draw, 40),
      rating,
      bio: sentenceOf(draw, topic, 8),
      image: evenlyOf(draw, portraits),
    },
    skills: [...new Set(skills)],
    requirements: [sentenceOf(draw, topic, 5)],
    what_you_learn: [sentenceOf(draw, topic, 6), sentenceOf(draw, other, 6)],
  }
}
