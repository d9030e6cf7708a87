import { random } from '../tools/artwork/svg.ts'
import * as words from './sample-words.ts'

/** So many other words there are, and so many of other last names. */
const rareWords = 40_000
const lastNames = 30_000

/** Numbers from 0 to 1 that are the same for the same seed. */
type RandomSource = ReturnType<typeof random>

/** A rank below `count` by Zipf's law: rank r comes about as often as 1 / (r + 1). */
const pickRank = (draw: RandomSource, count: number) =>
  Math.min(count - 1, Math.floor((count + 1) ** draw()) - 1)
const pickByRank = <Item>(draw: RandomSource, list: readonly Item[]) =>
  list[pickRank(draw, list.length)] as Item
const pickEvenly = <Item>(draw: RandomSource, list: readonly Item[]) =>
  list[Math.floor(draw() * list.length)] as Item

/** A name, as often as its share in a hundred. */
function pickByShare<Name extends string>(draw: RandomSource, shares: Record<Name, number>): Name {
  const names = Object.keys(shares) as Name[]
  return pickEvenly(
    draw,
    names.flatMap((name) => Array<Name>(shares[name]).fill(name)),
  )
}

/** About normal, with a deviation of 1. */
const pickNormal = (draw: RandomSource) => (draw() + draw() + draw() + draw() - 2) * Math.sqrt(3)

/** A word of its own for each number, the shorter ones first. */
function createRareWord(number: number): string {
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

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function createTitle(draw: RandomSource, topic: string, other: string): string {
  const kind = draw()
  if (kind < 0.25) {
    return `${pickByRank(draw, words.beginnings)} ${topic}`
  }

  if (kind < 0.5) {
    return `${topic} ${pickByRank(draw, words.endings)}`
  }

  if (kind < 0.65) {
    return `${topic} and ${other}`
  }

  if (kind < 0.85) {
    return `${topic}: ${capitalize(createRareWord(pickRank(draw, rareWords)))} ${pickByRank(draw, words.endings)}`
  }

  return `${pickByRank(draw, words.beginnings)} ${topic} with ${capitalize(createRareWord(pickRank(draw, rareWords)))}`
}

function createSentence(draw: RandomSource, topic: string, length: number): string {
  const text = Array.from({ length }, () =>
    draw() < 0.8 ? pickByRank(draw, words.plainWords) : createRareWord(pickRank(draw, rareWords)),
  )
  text.splice(Math.floor(draw() * length), 0, topic)
  return `${capitalize(text.join(' '))}.`
}

/**
 * A row of `courses`.
 *
 * @param rank from 0, the most popular course first; courses of a higher rank have at least as many
 * students.
 */
export function createSampleCourse(rank: number, portraits: readonly string[]) {
  const draw = random(`course ${rank}`)
  const category = pickByShare(draw, words.categoryShares)
  const [topic, other] = [
    pickByRank(draw, words.topics[category]),
    pickEvenly(draw, words.topics[category]),
  ]
  const instructor = `${pickByRank(draw, words.givenNames)} ${capitalize(createRareWord(pickRank(draw, lastNames)))}`
  const priceMinor =
    draw() < 0.08 ? 0 : Math.round(Math.exp(pickNormal(draw) * 0.6 + 4.2)) * 100 - 1
  const rating = Math.min(5, Math.max(1, Math.round((4.35 + pickNormal(draw) * 0.4) * 10) / 10))
  const students = Math.floor(900_000 / (rank + 20) ** 0.75)
  const skills = [
    topic,
    other,
    `${topic} ${pickByRank(draw, words.endings)}`,
    `${other} ${pickByRank(draw, words.endings)}`,
  ]
  const summary = `${createSentence(draw, topic, 7)} ${createSentence(draw, other, 9)}`

  return {
    id: `sample-${String(rank + 1).padStart(7, '0')}`,
    title: createTitle(draw, topic, other),
    subtitle: createSentence(draw, topic, 6),
    summary,
    description: `${summary} ${createSentence(draw, topic, 12)}`,
    category,
    level: pickByShare(draw, words.levelShares),
    language: pickByShare(draw, words.languageShares),
    in_catalogue: true,
    published: true,
    price_cents: priceMinor,
    original_price_cents: Math.round(priceMinor * (1 + draw())),
    duration_hours: Math.round(Math.exp(pickNormal(draw) * 0.9 + 2.2) * 2 + 1) / 2,
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
      courses: 1 + pickRank(draw, 40),
      rating,
      bio: createSentence(draw, topic, 8),
      image: pickEvenly(draw, portraits),
    },
    skills: [...new Set(skills)],
    requirements: [createSentence(draw, topic, 5)],
    what_you_learn: [createSentence(draw, topic, 6), createSentence(draw, other, 6)],
  }
}
