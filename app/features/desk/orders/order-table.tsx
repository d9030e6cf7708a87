import { Link } from 'react-router'
import { Badge, Time } from '~/features/desk/desk-parts'
import type { OrdersPageData } from '~/features/desk/orders/orders-page.server'
import type { OrderState } from '~/features/orders/order-states'
import { formatOrderState } from '~/features/orders/order-texts'
import { formatMoney } from '~/features/school/money'
import type { Column } from '~/ui/data-table'

type Orders = OrdersPageData

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
  const variants = {
    open: 'plain',
    processing: 'warn',
    paid: 'good',
    refunded: 'plain',
    canceled: 'plain',
  } as const

  return <Badge variant={variants[state]}>{formatOrderState({ state, totalMinor })}</Badge>
}
