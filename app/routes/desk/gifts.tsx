/** /Desk/Gifts: the list of gifts, with filters. */
import { Link } from 'react-router'
import { FilterForm } from '~/features/desk/desk-forms'
import { DeskPage } from '~/features/desk/desk-page'
import { Badge, DeskTitle, Time } from '~/features/desk/desk-parts'
import { requireDesk, respondUnknownPage } from '~/features/desk/desk-request.server'
import {
  type GiftRow,
  type GiftStatus,
  type GiftsPageData,
  loadGiftsPage,
} from '~/features/desk/gifts/gifts-page.server'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/form/field'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/gifts'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see orders')
  return loadGiftsPage(desk)
}

export const action = respondUnknownPage

export default function GiftsRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <GiftsView {...loaderData} />
    </DeskPage>
  )
}

const giftStatusTexts: Record<GiftStatus, string> = {
  waiting: 'Not redeemed',
  redeemed: 'Redeemed',
  paying: 'Payment pending',
  ended: 'Ended',
}

function GiftsView({ filter, rows, next }: GiftsPageData) {
  return (
    <>
      <DeskTitle intro="Courses bought for somebody else. To send a gift again, open its order.">
        Gifts
      </DeskTitle>
      <FilterForm>
        <Field
          label="Email address or order number"
          type="search"
          name="text"
          defaultValue={filter.text}
          hint="The full address of the giver or the recipient."
          className="lg:min-w-72 lg:flex-1"
        />
        <SelectField label="State" name="state" defaultValue={filter.status} className="self-start">
          <option value="">Any</option>
          {Object.entries(giftStatusTexts).map(([status, text]) => (
            <option key={status} value={status}>
              {text}
            </option>
          ))}
        </SelectField>
      </FilterForm>
      <DataTable
        caption="Gifts, the newest first"
        empty={filter.text || filter.status ? 'No gift matches.' : 'No gifts have been bought yet.'}
        columns={columns}
        rows={rows}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

const columns: Column<GiftRow>[] = [
  {
    name: 'Gift for',
    cell: ({ id, recipient, courseTitle }) => (
      <>
        <Link to={`/Desk/Orders/${id}`} className="link [overflow-wrap:anywhere]">
          {recipient ?? `Order ${id}`}
        </Link>
        <span className="block text-muted text-sm">{courseTitle}</span>
      </>
    ),
  },
  {
    name: 'State',
    cell: ({ status, redeemer, redeemedAt }) => (
      <>
        <GiftBadge status={status} />
        {redeemedAt && (
          <span className="mt-1 block text-muted text-sm">
            <Time at={redeemedAt} />
            {redeemer && ', '}
            {redeemer && <PersonLink {...redeemer} />}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Given by',
    cell: ({ giver }) => (giver ? <PersonLink {...giver} /> : 'Deleted'),
    showFrom: 'sm',
  },
  { name: 'Bought', cell: ({ cursorAt }) => <Time at={cursorAt} />, showFrom: 'md' },
]

function PersonLink({ uid, name }: { uid: string; name: string }) {
  return (
    <Link to={`/Desk/People/${uid}`} className="link">
      <bdi>{name}</bdi>
    </Link>
  )
}

const badgeVariants = {
  waiting: 'warn',
  redeemed: 'good',
  paying: 'plain',
  ended: 'plain',
} as const satisfies Record<GiftStatus, string>

function GiftBadge({ status }: { status: GiftStatus }) {
  return <Badge variant={badgeVariants[status]}>{giftStatusTexts[status]}</Badge>
}
