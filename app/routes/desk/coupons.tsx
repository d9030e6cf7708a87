/** /Desk/Coupons: the list of coupons, with the forms that create one coupon or many codes. */
import { useContext } from 'react'
import { Link } from 'react-router'
import { CouponBadge } from '~/features/desk/coupons/coupon-badge'
import { CouponEnd } from '~/features/desk/coupons/coupon-period'
import {
  type CouponsPageData,
  couponsActions,
  loadCouponsPage,
} from '~/features/desk/coupons/coupons-page.server'
import { CoursesField } from '~/features/desk/courses-field'
import { DeskContext } from '~/features/desk/desk-context'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { CollapsedActionForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { formatTimeZone } from '~/features/school/local-time'
import { amountExample } from '~/features/school/money'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Field, SelectField } from '~/ui/form/field'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/coupons'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'manage coupons')
  return loadCouponsPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage coupons')
  return handleDeskForm(args.request, desk, couponsActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function CouponsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <CouponsView {...loaderData} />
    </DeskPage>
  )
}

function CouponsView({ filter, rows, next, ...formOptions }: CouponsPageData) {
  return (
    <>
      <DeskTitle intro="Codes that lower a price. Learners enter them at checkout, or open a link with the code.">
        Coupons
      </DeskTitle>
      <div className="mb-5 grid items-start gap-3 lg:grid-cols-2">
        <CreateCouponForm {...formOptions} />
        <CreateManyCouponsForm {...formOptions} />
      </div>
      <FilterForm>
        <Field
          label="Code or name"
          type="search"
          name="text"
          defaultValue={filter.text}
          className="lg:min-w-72 lg:flex-1"
        />
        <SelectField label="State" name="state" defaultValue={filter.status}>
          <option value="">Any</option>
          <option value="open">Active or upcoming</option>
          <option value="over">Ended or expired</option>
        </SelectField>
      </FilterForm>
      <DataTable
        caption="Coupons, the newest first"
        empty={filter.text || filter.status ? 'No coupon matches.' : 'There’s no coupon yet.'}
        columns={columns}
        rows={rows}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

type FormOptions = Pick<CouponsPageData, 'courses' | 'currency'>

function CreateCouponForm(options: FormOptions) {
  return (
    <CollapsedActionForm
      title="Make a coupon"
      intent="create"
      buttonText="Make the coupon"
      variant="primary"
    >
      <Field
        label="Code"
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        hint="4 to 40 letters and digits, like SPRING2026. Leave it empty for a random code."
      />
      <TermsFields
        {...options}
        usesHint="How many orders may use it. Leave it empty for no limit."
      />
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={200}
        hint="What it’s for. Only staff see it."
      />
    </CollapsedActionForm>
  )
}

function CreateManyCouponsForm(options: FormOptions) {
  return (
    <CollapsedActionForm
      title="Make many codes"
      intent="bulk"
      buttonText="Make the codes"
      variant="primary"
    >
      <Field
        label="How many codes"
        name="count"
        inputMode="numeric"
        required
        autoComplete="off"
        hint="Up to 10000."
      />
      <Field
        label="Name"
        name="name"
        required
        autoComplete="off"
        maxLength={200}
        hint="What they’re for, like Class of 2026. Use it to find, download or end them all."
      />
      <TermsFields
        {...options}
        usesHint="How many orders may use each code. Leave it empty for one."
      />
    </CollapsedActionForm>
  )
}

type TermsFieldsProps = FormOptions & {
  usesHint: string
}

/** Shows the fields for a coupon's discount, dates, limits and courses. */
function TermsFields({ courses, currency, usesHint }: TermsFieldsProps) {
  const { schoolTimeZone } = useContext(DeskContext)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Percent"
          name="percent"
          inputMode="numeric"
          autoComplete="off"
          hint="1 to 100."
        />
        <Field
          label={`Or an amount in ${currency}`}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          hint={`Like ${amountExample(currency)}.`}
        />
        <Field label="From" name="from" type="date" hint="Leave it empty to start now." />
        <Field
          label="Until"
          name="until"
          type="date"
          hint={`Through the end of that day in the school’s time zone (${formatTimeZone(schoolTimeZone)}).`}
        />
        <Field label="Uses" name="uses" inputMode="numeric" autoComplete="off" hint={usesHint} />
        <Field
          label="Uses by one learner"
          name="perLearner"
          inputMode="numeric"
          autoComplete="off"
          hint="Leave it empty for one."
        />
      </div>
      <CoursesField legend="Courses" hint="Choose none for all courses." courses={courses} />
    </>
  )
}

type CouponRow = CouponsPageData['rows'][number]

const columns: Column<CouponRow>[] = [
  {
    name: 'Coupon',
    cell: ({ id, name, codeCount }) => (
      <>
        <Link to={`/Desk/Coupons/${id}`} className="link [overflow-wrap:anywhere]">
          {codeCount > 1 ? name || id : id}
        </Link>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {codeCount > 1 ? `${formatNumber(codeCount)} codes` : name}
        </span>
      </>
    ),
  },
  { name: 'State', cell: ({ status }) => <CouponBadge status={status} /> },
  { name: 'Takes off', cell: ({ discount }) => discount, isNumber: true },
  { name: 'Used', cell: ({ usesText }) => usesText, isNumber: true, showFrom: 'sm' },
  {
    name: 'For',
    cell: ({ courseCount }) => (
      <span className="whitespace-nowrap">{formatCourseCount(courseCount)}</span>
    ),
    showFrom: 'md',
  },
  {
    name: 'Until',
    cell: ({ endsAt }) => (endsAt ? <CouponEnd at={endsAt} /> : '–'),
    showFrom: 'lg',
  },
]

function formatCourseCount(count: number | null): string {
  if (count === null) {
    return 'All courses'
  }

  return count === 1 ? '1 course' : `${count} courses`
}
