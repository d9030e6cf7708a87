/** /Desk/Orders: the list of orders, with filters and an export of the receipts. */
import { ExportForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import {
  requireDesk,
  requirePageData,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { orderColumns } from '~/features/desk/orders/order-columns'
import { loadOrdersPage, type OrdersPageData } from '~/features/desk/orders/orders-page.server'
import { orderStatusTexts } from '~/features/orders/order-texts'
import { DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/form/field'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/orders'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see orders')
  return requirePageData(await loadOrdersPage(desk))
}

export const action = respondUnknownPage

export default function OrdersRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <OrdersView {...loaderData} />
    </DeskPage>
  )
}

function OrdersView({ filter, rows, next }: OrdersPageData) {
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
        <SelectField label="State" name="state" defaultValue={filter.status}>
          <option value="">Any</option>
          <option value="asked">Waits for an answer about a refund</option>
          {Object.entries(orderStatusTexts).map(([status, text]) => (
            <option key={status} value={status}>
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
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}
