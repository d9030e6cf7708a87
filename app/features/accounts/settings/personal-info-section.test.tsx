import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type { SessionUser } from '../session/session-user.server'
import { PersonalInfoSection } from './personal-info-section'

const learner: SessionUser = {
  uid: 'ada',
  email: 'ada@test.example',
  emailVerified: true,
  displayName: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  photoURL: null,
  provider: 'email',
  phone: null,
  location: null,
  timezone: null,
  detectedTimezone: null,
  displayTimezone: 'UTC',
  createdAt: '2026-01-02T12:00:00.000Z',
  lastLoginAt: '2026-03-04T12:00:00.000Z',
}

/** Returns the displayed value beside each label. */
function renderDetails(learner: SessionUser): Record<string, string> {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <PersonalInfoSection learner={learner} heading={null} />
    </MemoryRouter>,
  )
  const pairs = [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*><bdi>(.*?)<\/bdi>/g)]

  return Object.fromEntries(pairs.map(([, label, value]) => [label, value]))
}

it('shows what is stored about a learner, and which details are not provided', () => {
  expect(renderDetails(learner)).toEqual({
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Phone: 'Not provided',
    Location: 'Not provided',
    Timezone: 'Same as my browser',
    Email: 'ada@test.example',
    'Member since': 'Jan 2, 2026',
    'Signed up with': 'Email and password',
    'Last sign-in': 'Mar 4, 2026',
  })
})

it('a record without a date of joining reads that the learner joined recently', () => {
  expect(renderDetails({ ...learner, createdAt: '' })).toMatchObject({
    'Member since': 'Recently joined',
  })
})
