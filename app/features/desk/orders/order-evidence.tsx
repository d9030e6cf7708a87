import type { OrderPageData } from '~/features/desk/orders/order-page.server'
import { type Column, DataTable } from '~/ui/data-table'
import { type DetailItem, DetailList, Section, Time } from '../desk-parts'

type Evidence = NonNullable<OrderPageData['evidence']>

/** Shows how far the learner used the course. Banks ask for this when a payment is disputed. */
export function OrderEvidence({
  evidence,
  isDisputed,
}: {
  evidence: Evidence
  isDisputed: boolean
}) {
  const { lessons, signIns } = evidence
  const usedLessons = lessons.filter(({ isBegun }) => isBegun)

  return (
    <Section title="What the learner used">
      {isDisputed && (
        <p className="mb-4 text-muted">
          The payment is disputed. Send this, the receipt and the order’s times to the bank, in the
          dashboard of your payment provider.
        </p>
      )}
      <DetailList items={listDetails(evidence)} />
      {(usedLessons.length > 0 || signIns.length > 0) && (
        <details open={isDisputed} className="mt-3">
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium">
            Lesson by lesson, and sign-ins
          </summary>
          <div className="mt-2 grid items-start gap-3 lg:grid-cols-2">
            {usedLessons.length > 0 && (
              <DataTable
                caption="Lessons that the learner used"
                columns={lessonColumns}
                rows={usedLessons.map((lesson, index) => ({ ...lesson, index }))}
                getRowKey={({ index }) => String(index)}
              />
            )}
            {signIns.length > 0 && (
              <DataTable
                caption="Sign-ins since the order"
                columns={signInColumns}
                rows={signIns.map((signIn, index) => ({ ...signIn, index }))}
                getRowKey={({ index }) => String(index)}
              />
            )}
          </div>
        </details>
      )}
    </Section>
  )
}

function listDetails({
  enrolledAt,
  lastOpenedAt,
  lessons,
  exams,
  certificate,
  signIns,
}: Evidence): DetailItem[] {
  const doneCount = lessons.filter(({ isDone }) => isDone).length
  const submittedExams = exams.filter(({ submittedAt }) => submittedAt)
  const scores = submittedExams.map(({ percent }) => `${percent}%`)
  const renderTime = (at: Date | null) => (at ? <Time at={at} /> : '–')

  return [
    ['Enrolled', renderTime(enrolledAt)],
    ['Last opened', renderTime(lastOpenedAt)],
    ['Lessons done', `${doneCount} of ${lessons.length}`],
    ['Exams', scores.join(', ') || '–'],
    ['Certificate', certificate ? renderTime(certificate.issuedAt) : '–'],
    ['Sign-ins since the order', String(signIns.length)],
  ]
}

const lessonColumns: Column<Evidence['lessons'][number] & { index: number }>[] = [
  { name: 'Lesson', cell: ({ title }) => title },
  { name: 'Done', cell: ({ isDone }) => (isDone ? 'Yes' : 'Begun') },
  {
    name: 'Last',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : '–'),
    showFrom: 'sm',
  },
]

const signInColumns: Column<Evidence['signIns'][number] & { index: number }>[] = [
  { name: 'Signed in', cell: ({ at }) => <Time at={at} /> },
  { name: 'By', cell: ({ way }) => way ?? '–', showFrom: 'sm' },
  { name: 'Device', cell: ({ device }) => device ?? '–' },
]
