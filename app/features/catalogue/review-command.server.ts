import { db, openDatabaseForCommand } from '~/server/database/client.server'
import { listReviews, setReviewHidden } from './review-queries.server'

const usage = `npm run reviews -- list COURSE             list learners' reviews of a course, newest first
npm run reviews -- hide COURSE ID          hide a review from everyone but its author; ID is the review's ID or the author's uid
npm run reviews -- show COURSE ID          show a hidden review again
`

/** `npm run reviews`: also while the product runs, whose pages follow within two seconds. */
async function runCommand([action, courseId, name]: string[]): Promise<boolean> {
  if (action === 'list' && courseId) {
    const reviews = await listReviews(db, courseId)
    if (!reviews) process.stderr.write(`No course has the ID '${courseId}'.\n`)
    if (reviews?.length === 0) process.stdout.write('No learner has reviewed this course yet.\n')
    for (const { id, rating, hidden, comment } of reviews ?? [])
      process.stdout.write(`${id}  ${rating} of 5${hidden ? '  hidden' : ''}  ${JSON.stringify(comment ?? '')}\n`)
    return reviews !== null
  }
  if ((action !== 'hide' && action !== 'show') || !courseId || !name) {
    process.stderr.write(usage)
    return false
  }
  const found = await setReviewHidden(db, { courseId, name }, action === 'hide')
  if (found)
    process.stdout.write(
      `The review is now ${action === 'hide' ? 'hidden' : 'visible'}. Pages update within two seconds.\n`,
    )
  else process.stderr.write(`The course '${courseId}' has no review with the ID '${name}'.\n`)
  return found
}

const close = await openDatabaseForCommand()
try {
  process.exitCode = (await runCommand(process.argv.slice(2))) ? 0 : 1
} finally {
  await close()
}
