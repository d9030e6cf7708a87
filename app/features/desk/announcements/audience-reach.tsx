/** How many learners of its audience an announcement reaches, and why it leaves out the others. */
import { byCount, formatNumber } from '~/ui/format-count'
import { ActionForm } from '../desk-forms'
import type { AudienceCount } from './audience.server'

type LeftOutLearnersProps = {
  reach: AudienceCount
  canInvite: boolean
}

/** Says why some learners don't receive the email, and offers to invite learners again. */
export function LeftOutLearners({ reach, canInvite }: LeftOutLearnersProps) {
  const obstacles = listObstacles(reach)
  const showsInvitation = canInvite && reach.invitable > 0
  if (obstacles.length === 0 && !showsInvitation) {
    return null
  }

  return (
    <div className="mt-4 grid gap-3 text-sm">
      {obstacles.length > 0 && (
        <div className="text-muted">
          <p>Left out:</p>
          <ul className="list-disc ps-5">
            {obstacles.map((obstacle) => (
              <li key={obstacle}>{obstacle}</li>
            ))}
          </ul>
        </div>
      )}
      {showsInvitation && (
        <ActionForm
          intent="invite"
          buttonText={byCount(
            reach.invitable,
            'Send 1 learner the invitation again',
            `Send ${formatNumber(reach.invitable)} learners the invitation again`,
          )}
        />
      )}
    </div>
  )
}

/** Lists the reasons why learners don't receive the email, with the number of learners for each. */
function listObstacles(count: AudienceCount): string[] {
  const { unconfirmed, optedOut, bounced, disabled } = count
  const obstacles = [
    [unconfirmed, 'hasn’t confirmed their email address', 'haven’t confirmed their email address'],
    [optedOut, 'has turned announcements off', 'have turned announcements off'],
    [bounced, 'has an address that accepts no email', 'have an address that accepts no email'],
    [disabled, 'has a disabled account', 'have a disabled account'],
  ] as const

  return obstacles
    .filter(([learners]) => learners > 0)
    .map(([learners, one, many]) =>
      byCount(learners, `1 learner ${one}`, `${formatNumber(learners)} learners ${many}`),
    )
}

/** Says how many learners receive the email. */
export function describeReach({
  learners,
  reached,
}: Pick<AudienceCount, 'learners' | 'reached'>): string {
  const all = byCount(learners, '1 learner', `${formatNumber(learners)} learners`)
  return learners === reached ? all : `${formatNumber(reached)} of ${all}`
}
