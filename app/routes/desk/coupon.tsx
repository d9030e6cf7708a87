/** /Desk/Coupons/:code: one coupon, with its links and orders, and the forms that end it. */
import { Link } from 'react-router'
import { CouponBadge } from '~/features/desk/coupons/coupon-badge'
import {
  type CouponPageData,
  couponActions,
  loadCouponPage,
} from '~/features/desk/coupons/coupon-page.server'
import { CouponEnd, CouponStart } from '~/features/desk/coupons/coupon-period'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { CollapsedActionForm, ExportForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { orderColumns } from '~/features/desk/orders/order-columns'
import { DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/coupon'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'manage coupons')
  return requirePageData(await loadCouponPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage coupons')
  return handleDeskForm(args.request, desk, couponActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function CouponRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <CouponView {...loaderData} />
    </DeskPage>
  )
}

function CouponView(page: CouponPageData) {
  const {
    coupon,
    courses,
    linkExample,
    sameNameCount,
    activeCount,
    rows: orders,
    next: nextPage,
  } = page
  const { code, name } = coupon
  const isOneOfMany = sameNameCount > 1

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Coupons', label: 'Coupons' }}
        intro={
          isOneOfMany && `One of ${formatNumber(sameNameCount)} codes with the name “${name}”.`
        }
        side={isOneOfMany && <ExportForm table="coupons" hiddenValues={{ name }} />}
      >
        {code}
      </DeskTitle>
      <DetailList items={listDetails(page)} />
      <EndForms coupon={coupon} sameNameCount={sameNameCount} activeCount={activeCount} />
      <CouponLinks courses={courses} linkExample={linkExample} />
      <Section title="Orders with it">
        <DataTable
          caption="Orders with this coupon, the newest first"
          empty="No order has used it yet."
          columns={orderColumns}
          rows={orders}
          getRowKey={({ id }) => id}
        />
        <Pager next={nextPage} />
      </Section>
    </>
  )
}

function listDetails({ coupon, discount, uses, status }: CouponPageData): DetailItem[] {
  const { name, startsAt, endsAt, endedAt, maxUsesPerLearner } = coupon
  const usesPerLearner = maxUsesPerLearner === null ? 'Any number' : formatNumber(maxUsesPerLearner)

  const details: DetailItem[] = [
    ['State', <CouponBadge key="status" status={status} />],
    ['Takes off', discount],
    ['Used', uses],
    ['Uses by one learner', usesPerLearner],
    ['From', startsAt ? <CouponStart key="from" at={startsAt} /> : 'At once'],
    ['Until', endsAt ? <CouponEnd key="until" at={endsAt} /> : 'No end'],
  ]
  if (endedAt) {
    details.push(['Ended', <Time key="ended" at={endedAt} />])
  }

  if (name) {
    details.push(['Name', name])
  }

  return details
}

/**
 * Shows the form that ends this code, and the one that ends all codes with the same name. The
 * hidden field tells the route action which of the two was sent.
 */
function EndForms({
  coupon: { code, name, endedAt },
  sameNameCount,
  activeCount,
}: Pick<CouponPageData, 'coupon' | 'sameNameCount' | 'activeCount'>) {
  return (
    <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
      {!endedAt && (
        <CollapsedActionForm
          title="End this code"
          intent="end"
          buttonText="End it"
          variant="danger"
          hiddenValues={{ code }}
        >
          <p className="text-muted">
            From now on, it doesn’t lower any price. Orders that used it stay, and a learner on the
            payment page still pays the price shown there.
          </p>
        </CollapsedActionForm>
      )}
      {sameNameCount > 1 && activeCount > 0 && (
        <CollapsedActionForm
          title={`End all ${formatNumber(activeCount)} codes`}
          intent="end"
          buttonText="End them all"
          variant="danger"
          hiddenValues={{ name }}
        >
          <p className="text-muted">{`All codes with the name “${name}” stop lowering prices now. Orders that used them stay.`}</p>
        </CollapsedActionForm>
      )}
    </div>
  )
}

/** Shows the links that open the checkout with the coupon. */
function CouponLinks({ courses, linkExample }: Pick<CouponPageData, 'courses' | 'linkExample'>) {
  if (courses === null) {
    return (
      <Section title="For all courses">
        <p className="mb-3 text-muted">
          A link with the code. Replace COURSE with the ID of a course:
        </p>
        <p className="card p-5">
          <LinkText link={linkExample} />
        </p>
      </Section>
    )
  }

  return (
    <Section title="Links with the code, by course">
      <ul className="card grid gap-4 p-5">
        {courses.map(({ id, title, link }) => (
          <li key={id}>
            <Link to={`/Desk/Courses/${id}`} className="link">
              {title}
            </Link>
            <LinkText link={link} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Shows a link as a text that one click selects as a whole. */
function LinkText({ link }: { link: string }) {
  return <code className="block select-all text-sm [overflow-wrap:anywhere]">{link}</code>
}
