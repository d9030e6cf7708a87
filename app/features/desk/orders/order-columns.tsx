import { Link } from 'react-router'
import { Badge, Time } from '~/features/desk/desk-parts'
import type { OrderRow } from '~/features/desk/orders/orders-page.server'
import type { OrderStatus } from '~/features/orders/order-statuses'
import { formatOrderStatus } from '~/features/orders/order-texts'
import { formatMoney } from '~/features/school/money'
import type { Column } from '~/ui/data-table'

export const orderColumns: Column<OrderRow>[] = [
  {
    name: 'Order',
    cell: ({ id, courseTitle }) => (
      <>
        <Link to={`/Desk/Orders/${id}`} className="link">
          {id}
        </Link>
        <span className="block text-muted text-sm">{courseTitle}</span>
      </>
    ),
  },
  { name: 'State', cell: (order) => <OrderBadge {...order} /> },
  {
    name: 'Total',
    cell: ({ totalMinor, currency }) => formatMoney(totalMinor, currency),
    isNumber: true,
  },
  { name: 'Learner', cell: ({ name }) => <bdi>{name ?? 'Deleted'}</bdi>, showFrom: 'md' },
  { name: 'Ordered', cell: ({ cursorAt }) => <Time at={cursorAt} />, showFrom: 'lg' },
]

const badgeVariants = {
  open: 'plain',
  processing: 'warn',
  paid: 'good',
  refunded: 'plain',
  canceled: 'plain',
} as const satisfies Record<OrderStatus, string>

export function OrderBadge({ status, totalMinor }: { status: OrderStatus; totalMinor: number }) {
  return <Badge variant={badgeVariants[status]}>{formatOrderStatus({ status, totalMinor })}</Badge>
}
