/**
 * Generates courses whose words, prices and ratings are distributed as in a real catalog. The same
 * rank always gives the same course.
 */
import { random } from '../tools/artwork/svg.ts'
import * as words from './sample-words.ts'

const rareWordCount = 40_000
const lastNameCount = 30_000

/** Returns numbers from 0 to 1, which are the same for the same seed. */
type RandomSource = ReturnType<typeof random>

/**
 * Returns a row of the table `courses`.
 *
 * @param rank the place of the course by popularity, from 0. A course of a higher rank has at most
 * as many students.
 * @param portraits the names of the portraits that the content has
 */
export function createSampleCourse(rank: number, portraits: readonly string[]) {
  const draw = random(`course ${rank}`)
  const category = pickByShare(draw, words.categoryShares)
  const topic = pickByRank(draw, words.topics[category])
  const secondTopic = pickEvenly(draw, words.topics[category])
  const instructorName = `${pickByRank(draw, words.givenNames)} ${capitalize(createRareWord(pickRank(draw, lastNameCount)))}`

  const isFree = draw() < 0.08
  const priceMinor = isFree ? 0 : Math.round(Math.exp(drawNormal(draw) * 0.6 + 4.2)) * 100 - 1
  const rating = Math.min(5, Math.max(1, Math.round((4.35 + drawNormal(draw) * 0.4) * 10) / 10))
  const students = Math.floor(900_000 / (rank + 20) ** 0.75)
  const skills = [
    topic,
    secondTopic,
    `${topic} ${pickByRank(draw, words.endings)}`,
    `${secondTopic} ${pickByRank(draw, words.endings)}`,
  ]
  const summary = `${createSentence(draw, topic, 7)} ${createSentence(draw, secondTopic, 9)}`

  return {
    id: `sample-${String(rank + 1).padStart(7, '0')}`,
    title: createTitle(draw, topic, secondTopic),
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
    duration_hours: Math.round(Math.exp(drawNormal(draw) * 0.9 + 2.2) * 2 + 1) / 2,
    lectures: 10 + Math.floor(draw() * 200),
    downloadable_resources: Math.floor(draw() * 30),
    students,
    rating,
    reviews: Math.floor(students * draw() * 0.2),
    last_updated: new Date(Date.UTC(2026, 9, 31) - Math.floor(draw() ** 2 * 1500) * 86_400_000)
      .toJSON()
      .slice(0, 10),
    instructor_name: instructorName,
    instructor: {
      name: instructorName,
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
    what_you_learn: [createSentence(draw, topic, 6), createSentence(draw, secondTopic, 6)],
  }
}

function createTitle(draw: RandomSource, topic: string, secondTopic: string): string {
  const kind = draw()
  if (kind < 0.25) {
    return `${pickByRank(draw, words.beginnings)} ${topic}`
  }

  if (kind < 0.5) {
    return `${topic} ${pickByRank(draw, words.endings)}`
  }

  if (kind < 0.65) {
    return `${topic} and ${secondTopic}`
  }

  if (kind < 0.85) {
    const rareWord = capitalize(createRareWord(pickRank(draw, rareWordCount)))
    return `${topic}: ${rareWord} ${pickByRank(draw, words.endings)}`
  }

  const beginning = pickByRank(draw, words.beginnings)
  const rareWord = capitalize(createRareWord(pickRank(draw, rareWordCount)))
  return `${beginning} ${topic} with ${rareWord}`
}

/** Returns a sentence of random words, with the topic at a random place. */
function createSentence(draw: RandomSource, topic: string, wordCount: number): string {
  const sentenceWords = Array.from({ length: wordCount }, () =>
    draw() < 0.8
      ? pickByRank(draw, words.plainWords)
      : createRareWord(pickRank(draw, rareWordCount)),
  )
  sentenceWords.splice(Math.floor(draw() * wordCount), 0, topic)

  return `${capitalize(sentenceWords.join(' '))}.`
}

/** Returns an invented word, a different one for each number. Small numbers give short words. */
function createRareWord(number: number): string {
  const syllableCount = words.syllables.length
  let word = ''
  let rest = number + syllableCount
  while (rest > 0) {
    word += words.syllables[rest % syllableCount]
    rest = Math.floor(rest / syllableCount)
  }

  return word
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns a rank below `count` by Zipf's law: rank r is picked about as often as 1 / (r + 1). */
function pickRank(draw: RandomSource, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** draw()) - 1)
}

/** Picks an item of a list in which the most common items come first. */
function pickByRank<Item>(draw: RandomSource, items: readonly Item[]): Item {
  return items[pickRank(draw, items.length)] as Item
}

/** Picks an item. Each item is equally likely. */
function pickEvenly<Item>(draw: RandomSource, items: readonly Item[]): Item {
  return items[Math.floor(draw() * items.length)] as Item
}

/** Picks a name. `shares` says how often each name is picked, in percent. */
function pickByShare<Name extends string>(draw: RandomSource, shares: Record<Name, number>): Name {
  const names = Object.keys(shares) as Name[]
  const repeatedNames = names.flatMap((name) => Array<Name>(shares[name]).fill(name))
  return pickEvenly(draw, repeatedNames)
}

/** Returns a number that is about normally distributed, with a mean of 0 and a deviation of 1. */
function drawNormal(draw: RandomSource): number {
  return (draw() + draw() + draw() + draw() - 2) * Math.sqrt(3)
}
