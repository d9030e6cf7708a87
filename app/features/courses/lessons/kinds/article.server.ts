import path from 'node:path'
import * as z from 'zod'
import { analyzeArticle, findArticleSizeProblem } from '~/server/markdown/article-analysis.server'
import { listHeadingAnchors } from '~/server/markdown/heading-anchors.server'
import { mediaName } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import type { ContentReader } from '../../content/content-reader.server'
import { checkPicture, pictureRules } from '../../content/picture-checks.server'
import { findPictureFile } from '../../content/picture-files.server'
import { commonMaterialFields, type LessonFormat, noMaterial } from '../lesson-format.server'

/** The text is `lessons/ID.md`. The duration is the time to read it. */
const schema = z.strictObject({
  kind: z.literal('article'),
  ...commonMaterialFields,
})

export const articleFormat = {
  schema,

  listTextFiles({ id }) {
    return [`${id}.md`]
  },

  async read(reader, { lesson, folder }) {
    return readArticle(reader, folder, `${folder}/lessons/${lesson.id}.md`)
  },

  listQuestions() {
    return []
  },

  findAnchorProblem(_lesson, anchor, lessonText) {
    const anchors = listHeadingAnchors(lessonText)
    return anchors.includes(anchor) ? null : formatMissingHeading(anchor, anchors)
  },

  getStoredMaterial(_lesson, { lessonText }) {
    return { ...noMaterial, article: lessonText }
  },
} satisfies LessonFormat<z.infer<typeof schema>>

function formatMissingHeading(anchor: string, anchors: readonly string[]): string {
  return `The article has no heading \`${anchor}\`.${didYouMean(anchor, anchors)} Write a heading in lowercase with hyphens.`
}

async function readArticle(reader: ContentReader, folder: string, file: string): Promise<string> {
  const repair = 'Write the article in it, or remove its lesson from course.yaml.'
  const text = await reader.readText(file, repair)
  if (text === null) {
    return ''
  }

  if (text.trim() === '') {
    reader.report(file, 'The article is empty. Write its text.')
  }

  const sizeProblem = findArticleSizeProblem(text)
  if (sizeProblem) {
    reader.report(file, sizeProblem)
    return text
  }

  const { formulaProblems, links, markupProblems } = analyzeArticle(text)
  for (const problem of formulaProblems) {
    reader.report(file, problem.text, problem.line)
  }

  for (const problem of markupProblems) {
    reader.warn(file, problem.text, problem.line)
  }

  for (const { line, url, isPicture } of links) {
    const problem = await findLinkProblem(reader, { url, isPicture, folder, article: text })
    if (problem) {
      reader.report(file, problem, line)
    }
  }

  return text
}

type Link = {
  url: string
  isPicture: boolean
  /** The folder of the course. */
  folder: string
  /** The text that has the link. */
  article: string
}

/** Returns why a link or picture leads nowhere, or null if it may lead somewhere. */
async function findLinkProblem(reader: ContentReader, link: Link): Promise<string | null> {
  if (link.url.startsWith('/media/')) {
    return findMediaProblem(reader, link)
  }

  if (link.url.startsWith('#')) {
    return findHeadingProblem(link)
  }

  const isAbsolute = /^([a-z][a-z0-9+.-]*:|\/)/i.test(link.url)
  return isAbsolute ? null : formatRelativeLink(reader, link)
}

async function findMediaProblem(
  reader: ContentReader,
  { url, isPicture }: Link,
): Promise<string | null> {
  const file = url.slice('/media/'.length).replace(/[?#].*$/, '')
  if (isPicture && !mediaName.test(file)) {
    return `The picture \`${file}\` can’t be shown. Use letters, digits, hyphens and underscores, and an ending like .png, .jpg or .webp.`
  }

  const exists = isPicture
    ? (await findPictureFile(reader.resolvePath(''), file)) !== null
    : reader.hasFile(file)
  if (!exists) {
    const { dir, base } = path.posix.parse(file)
    const suggestion = didYouMean(base, reader.listNames(dir))
    return isPicture
      ? `There is no picture \`${file}\`.${suggestion} Add it or correct the address.`
      : `There is no file \`${file}\`.${suggestion} Add it or correct the address.`
  }

  if (isPicture && !file.endsWith('.svg')) {
    await checkPicture(reader, file, pictureRules.figure, '')
  }

  return null
}

function findHeadingProblem({ url, article }: Link): string | null {
  const anchors = listHeadingAnchors(article)
  const heading = url.slice(1)
  const hasHeading = anchors.some((anchor) => heading === anchor || heading === `part-${anchor}`)

  return hasHeading ? null : formatMissingHeading(heading, anchors)
}

/** Relative links don't work on the page of the lesson. Suggests the whole URL. */
function formatRelativeLink(reader: ContentReader, { url, isPicture, folder }: Link): string {
  const relativePath = url.replace(/[?#].*$/, '')
  const possibleFiles = [
    path.posix.join(folder, 'lessons', relativePath),
    path.posix.join(folder, relativePath),
  ]
  const file = possibleFiles.find((name) => name.startsWith(`${folder}/`) && reader.hasFile(name))

  const lessonFile = /^(?:\.\/)?(?:\.\.\/lessons\/|lessons\/)?([a-z0-9-]+)\.md$/
  const lessonId = lessonFile.exec(relativePath)?.[1]
  const wholeUrl = lessonId
    ? `/Learn/${folder.slice('courses/'.length)}/${lessonId}`
    : `/media/${file ?? `${folder}/figures/NAME.webp`}`

  return isPicture
    ? `The picture \`${url}\` leads nowhere from the lesson’s page. Write the whole address, like \`${wholeUrl}\`.`
    : `The link \`${url}\` leads nowhere from the lesson’s page. Write the whole address, like \`${wholeUrl}\`.`
}
