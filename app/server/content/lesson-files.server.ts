import type * as z from 'zod'
import type { ContentReader } from './content-reader.server'
import { type courseFile, storyboardFile } from './content-schema'

type Course = z.infer<typeof courseFile>
type Lesson = Course['curriculum'][number]['lessons'][number]
type Quiz = Extract<Lesson, { kind: 'quiz' }>

/**
 * Reads the material of a course's lessons and reports what is wrong with it, or with the curriculum.
 *
 * @returns the articles, CommonMark by lesson id.
 */
export async function readLessons(
  reader: ContentReader,
  folder: string,
  course: Course,
): Promise<Record<string, string>> {
  const file = `${folder}/course.yaml`
  const articles: Record<string, string> = {}
  const [sections, seen] = [new Set<string>(), new Set<string>()]
  for (const [index, section] of course.curriculum.entries()) {
    const at = ['curriculum', index]
    if (sections.has(section.id))
      reader.report(file, `expected each section id once, but '${section.id}' stands twice`, at)
    sections.add(section.id)
    if (section.lessons.length > section.lectures) {
      const problem = `expected at least ${section.lessons.length} lectures, as so many lessons are listed`
      reader.report(file, problem, [...at, 'lectures'])
    }
    for (const [place, lesson] of section.lessons.entries()) {
      const lessonAt = [...at, 'lessons', place]
      if (seen.has(lesson.id))
        reader.report(file, `expected each lesson id once, but '${lesson.id}' stands twice`, lessonAt)
      seen.add(lesson.id)
      if (lesson.kind === 'article')
        articles[lesson.id] = await readArticle(reader, `${folder}/lessons/${lesson.id}.md`)
      if (lesson.kind === 'video') await checkVideo(reader, `${folder}/videos/${lesson.video}`, lesson)
      if (lesson.kind === 'quiz') checkQuiz(reader, file, lesson, lessonAt)
    }
  }
  for (const name of reader.list(`${folder}/lessons`)) {
    if (!(name.replace(/\.md$/, '') in articles)) {
      reader.report(`${folder}/lessons/${name}`, 'expected an article of this id in course.yaml, or no such file')
    }
  }
  return articles
}

async function readArticle(reader: ContentReader, file: string): Promise<string> {
  const text = await reader.text(file)
  if (reader.has(file) && text.trim() === '') reader.report(file, 'expected a text, but the article is empty')
  return text
}

/** An answer is kept by the words of its question, so that these have to differ. */
function checkQuiz(reader: ContentReader, file: string, { id, questions }: Quiz, at: readonly PropertyKey[]) {
  const words = questions.map(({ question }) => question)
  for (const [index, { question, options }] of questions.entries()) {
    const here = [...at, 'questions', index]
    if (!options.some(({ correct }) => correct))
      reader.report(file, `expected a correct option for every question of the quiz '${id}'`, here)
    if (words.indexOf(question) !== index) reader.report(file, `expected each question of '${id}' once`, here)
    if (new Set(options.map(({ text }) => text)).size < options.length)
      reader.report(file, `expected different options for every question of '${id}'`, here)
  }
}

async function checkVideo(reader: ContentReader, base: string, lesson: { id: string; durationSeconds: number }) {
  const storyboard = await reader.yaml(`${base}.yaml`, storyboardFile)
  for (const ending of ['webm', 'mp4', 'vtt', 'webp']) {
    const file = `${base}.${ending}`
    if (!reader.has(file)) reader.report(file, `expected this file for the lesson '${lesson.id}'; run: npm run media`)
    else if (reader.isEmpty(file)) reader.report(file, 'expected a file that is not empty; run: npm run media')
    else if (ending === 'vtt') await checkCaptions(reader, file, lesson.durationSeconds)
  }
  const seconds = storyboard?.scenes.reduce((sum, scene) => sum + scene.seconds, 0)
  if (seconds !== undefined && Math.round(seconds) !== lesson.durationSeconds) {
    const problem = `expected scenes of ${lesson.durationSeconds} s in total, as the lesson says, not ${seconds} s`
    reader.report(`${base}.yaml`, problem)
  }
}

/** What browsers and the transcript need of a WebVTT file. */
async function checkCaptions(reader: ContentReader, file: string, durationSeconds: number) {
  const lines = (await reader.text(file)).replace(/^\uFEFF/, '').split(/\r?\n/)
  if (!/^WEBVTT($|\s)/.test(lines[0] ?? '')) reader.report(`${file}:1`, "expected the first line 'WEBVTT'")
  const timings = lines.flatMap((line, index) => (line.includes('-->') ? [{ line, number: index + 1 }] : []))
  if (timings.length === 0) reader.report(file, 'expected at least one caption')
  for (const { line, number } of timings) {
    const [start, end] = line.split('-->').map(secondsOf)
    if (start === undefined || end === undefined || Number.isNaN(start + end))
      reader.report(`${file}:${number}`, 'expected two times like 00:01.000 --> 00:04.500')
    else if (end <= start) reader.report(`${file}:${number}`, 'expected an end after the start')
    else if (start >= durationSeconds)
      reader.report(`${file}:${number}`, `expected a start within the film, which lasts ${durationSeconds} s`)
  }
}

/** @returns NaN for what is no time of WebVTT; settings behind the second time are left out. */
function secondsOf(text: string): number {
  const [, hours = '0', minutes, seconds] = /^\s*(?:(\d+):)?([0-5]\d):([0-5]\d\.\d{3})(?:\s|$)/.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
