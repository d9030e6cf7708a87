import { Laptop, Smartphone, Tablet } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { FormOutcome } from '../form/account-page'
import type { AccountFormResult, AccountFormSuccess } from '../form/form-result'
import type { Device } from './devices.server'

const devicesHint =
  'The time of the last use is noted once a day. We don’t store IP addresses, so we can’t show where a device is.'

type DevicesFormProps = {
  devices: Device[]
  timeZone: string
  result: AccountFormResult | undefined
}

/** Lists the browsers in which the learner is signed in, with buttons that sign them out. */
export function DevicesForm({ devices, timeZone, result }: DevicesFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useForm<AccountFormSuccess>({
    initialResult: result,
    // The focus moves, because the pressed button disappears.
    onSuccess: () => heading.current?.focus(),
  })
  const hasOtherDevices = devices.some(({ isCurrent }) => !isCurrent)

  return (
    <Form form={form} action="/Profile/settings?form=devices#security">
      <h3 ref={heading} id="devices-title" tabIndex={-1} className="font-bold tracking-normal">
        Where you’re signed in
      </h3>
      <p className="mt-2 text-muted">{devicesHint}</p>
      <ul aria-labelledby="devices-title" className="mt-2 divide-y divide-line">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} timeZone={timeZone} isDisabled={form.isBusy} />
        ))}
      </ul>
      {hasOtherDevices && (
        <Button
          type="submit"
          name="others"
          value="all"
          variant="danger"
          disabled={form.isBusy}
          className="mt-3"
        >
          Sign out all other devices
        </Button>
      )}
      {(form.notice || form.errors.form) && (
        <div className="mt-4 flex flex-wrap">
          <FormOutcome error={form.errors.form} notice={form.notice} />
        </div>
      )}
    </Form>
  )
}

const deviceIcons = { computer: Laptop, phone: Smartphone, tablet: Tablet } as const

function DeviceRow({
  device,
  timeZone,
  isDisabled,
}: {
  device: Device
  timeZone: string
  isDisabled: boolean
}) {
  const Icon = deviceIcons[device.kind]
  const details = [
    `Signed in ${formatDate(device.signedInAt, timeZone)}`,
    device.isCurrent ? 'In use now' : `Last used ${formatDate(device.usedAt, timeZone)}`,
    `Expires ${formatDate(device.expiresAt, timeZone)}`,
  ]

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Icon aria-hidden="true" size={22} className="shrink-0 text-muted" />
      <div className="min-w-48 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {device.name}
          {device.isCurrent && (
            <span className="ml-2 whitespace-nowrap rounded-full bg-accent-soft px-2.5 py-0.5 font-semibold text-ink text-sm">
              This device
            </span>
          )}
        </p>
        <p className="mt-0.5 text-muted text-sm">{details.join(' · ')}</p>
      </div>
      {!device.isCurrent && (
        <Button
          type="submit"
          name="device"
          value={device.id}
          variant="secondary"
          disabled={isDisabled}
          aria-label={`Sign out ${device.name}, signed in ${formatDate(device.signedInAt, timeZone)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
