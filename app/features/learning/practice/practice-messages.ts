import { invalidAnswerMessage } from '~/features/courses/questions/question-kinds'
import { byCount } from '~/ui/format-count'
import { formatDay, formatWeekday } from '~/ui/format-date'
import { progressMessages } from '../progress/progress-messages'
import { addDays } from '../progress/study-time'

export const practiceMessages = {
  doneForToday: 'Done for today.',
  practiceDone: {
    title: 'That’s it for today',
    text: (practiced: number, right: number) =>
      byCount(
        practiced,
        right === 1
          ? 'You practiced 1 question and got it right.'
          : 'You practiced 1 question and didn’t get it right.',
        `You practiced ${practiced} questions and got ${right} right.`,
      ),
  } as const,
  nothingToPractice: {
    title: 'Nothing to practice today',
    text: 'When you get a quiz question wrong, it comes back here the next day. Exam questions follow once you pass.',
  } as const,
  verdicts: {
    right: { title: 'Correct', text: 'You’ll see it again later, so it sticks.' },
    wrong: { title: 'Not quite', text: 'You’ll see it again tomorrow.' },
  } as const,
  problems: {
    unanswered: 'Answer the question first.',
    unreadable: invalidAnswerMessage,
    gone: 'This question is no longer part of its course. Continue with the next one.',
    otherLearner: progressMessages.otherLearner,
  } as const,
  answerPostponed: 'Your answer is saved on this device, and we’ll check it once you’re connected.',
  notAPracticeAnswer: 'This isn’t a practice answer.',
}

/**
 * Says when the next question is due.
 *
 * @param nextDueDay a day like "2026-11-23"
 * @param today the learner's day, like "2026-11-22"
 */
export function nextQuestionText(nextDueDay: string, today: string): string {
  if (nextDueDay === addDays(today, 1)) {
    return 'Your next question is due tomorrow.'
  }

  if (nextDueDay < addDays(today, 7)) {
    return `Your next question is due on ${formatWeekday(nextDueDay)}.`
  }

  return `Your next question is due on ${formatDay(nextDueDay)}.`
}
