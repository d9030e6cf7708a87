import { Link } from 'react-router'
import type { OrderState } from '~/features/orders/order-states'
import { orderStateText, orderStateTexts } from '~/features/orders/order-texts'
import { formatMoney } from '~/features/school/money'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/field'
import { Pager } from '~/ui/pager'
import type { DataOf } from '../desk-pages.server'
import { Badge, DeskTitle, ExportForm, FilterForm, Time } from '../desk-parts'

type Orders = DataOf<'orders'>

export function OrdersView({ filter, rows, next }: Orders) {
  return (
    <>
      <DeskTitle side={<ExportForm table="receipts" />}>Orders</DeskTitle>
      <FilterForm>
        <Field
          label="Order number, email address or course"
          type="search"
          name="text"
          defaultValue={filter.text}
          className="lg:min-w-72 lg:flex-1"
        />
        <SelectField label="State" name="state" defaultValue={filter.state}>
          <option value="">Any</option>
          <option value="asked">Waits for an answer about a refund</option>
          {Object.entries(orderStateTexts).map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </SelectField>
      </FilterForm>
      <DataTable
        caption="Orders, the newest first"
        empty="There’s no such order."
        columns={orderColumns}
        rows={rows}
        keyOf={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

export const orderColumns: Column<Orders['rows'][number]>[] = [
  {
    name: 'Order',
    of: ({ id, courseTitle }) => (
      <>
        <Link to={`/Desk/Orders/${id}`} className="link">
          {id}
        </Link>
        <span className="block text-muted text-sm">{courseTitle}</span>
      </>
    ),
  },
  { name: 'State', of: (order) => <OrderBadge {...order} /> },
  {
    name: 'Total',
    of: ({ totalMinor, currency }) => formatMoney(totalMinor, currency),
    isNumber: true,
  },
  { name: 'Learner', of: ({ name }) => <bdi>{name ?? 'Deleted'}</bdi>, from: 'md' },
  { name: 'Ordered', of: ({ cursorAt }) => <Time at={cursorAt} />, from: 'lg' },
]

export function OrderBadge({ state, totalMinor }: { state: OrderState; totalMinor: number }) {
  const looks = {
    open: 'plain',
    processing: 'warn',
    paid: 'good',
    refunded: 'plain',
    canceled: 'plain',
  } as const

  return <Badge look={looks[state]}>{orderStateText({ state, totalMinor })}</Badge>
}
