/**
 * Reads the draft of an announcement from its form. A wrong value fails with a sentence about it.
 */
import { findVisibleCourseTitle } from '~/features/staff/visible-courses.server'
import { findArticleSizeProblem } from '~/server/markdown/article-analysis.server'
import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { failure, type Result, success } from '~/server/result'
import { isVisible } from '~/server/validation/content-fields'
import { formatNumber } from '~/ui/format-count'
import { type DeskChangeRequest, readText } from '../desk-form.server'
import { audienceKinds, draftLimits } from './announcement-types'
import type { AudienceChoice } from './audience.server'

export type Draft = AudienceChoice & { subject: string; body: string }

export async function readDraft(request: DeskChangeRequest): Promise<Result<Draft>> {
  // Emails and lists can't draw the formulas of a subject.
  const subject = writeFormulasAsText(readText(request, 'subject'))
  const isOneLine = !/[\r\n]/.test(subject)
  if (!isVisible(subject) || subject.length > draftLimits.subject || !isOneLine) {
    return failure(`Write a subject of at most ${draftLimits.subject} characters.`)
  }

  const body = readText(request, 'body')
  if (!isVisible(body) || body.length > draftLimits.body) {
    return failure(`Write a text of at most ${formatNumber(draftLimits.body)} characters.`)
  }

  const sizeProblem = findArticleSizeProblem(body)
  if (sizeProblem) {
    return failure(sizeProblem)
  }

  const audience = await readAudience(request)
  if (!audience.ok) {
    return audience
  }

  return success({ ...audience.value, subject, body })
}

async function readAudience(request: DeskChangeRequest): Promise<Result<AudienceChoice>> {
  const { staff, transaction } = request
  const courseId = readText(request, 'course') || null
  const audience = audienceKinds.find((kind) => kind === readText(request, 'audience'))
  if (!audience) {
    return failure('Choose which learners get it.')
  }

  const isTeacher = staff.courseIds !== null
  if (courseId === null && isTeacher) {
    return failure('Choose one of your courses.')
  }

  if (courseId !== null) {
    const title = await findVisibleCourseTitle(transaction, staff, courseId)
    if (title === null) {
      return failure('There’s no such course.')
    }
  }

  if (courseId === null && audience === 'unfinished') {
    return failure('Choose the course that they haven’t finished.')
  }

  if (audience !== 'away') {
    return success({ courseId, audience, awayDays: null })
  }

  const awayDays = Number(readText(request, 'days'))
  if (!Number.isInteger(awayDays) || awayDays < 1 || awayDays > draftLimits.days) {
    return failure(`Give the days that they haven’t come, from 1 to ${draftLimits.days}.`)
  }

  return success({ courseId, audience, awayDays })
}
