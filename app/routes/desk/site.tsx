/** /Desk/Site: everything that an owner can change about the site. */
import { Link } from 'react-router'
import { useSubmittedValues } from '~/features/desk/desk-context'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { AccentFields } from '~/features/desk/site/accent-fields'
import { CertificateNameField } from '~/features/desk/site/certificate-name-field'
import { FooterFields } from '~/features/desk/site/footer-fields'
import { HomeFields } from '~/features/desk/site/home-fields'
import {
  CategoryCardFields,
  FeatureFields,
  HeroFields,
  TestimonialFields,
} from '~/features/desk/site/home-text-fields'
import {
  CurrencyFields,
  SellerFields,
  SenderFields,
} from '~/features/desk/site/money-and-mail-fields'
import { PaymentFields } from '~/features/desk/site/payment-fields'
import { PictureFields } from '~/features/desk/site/picture-fields'
import {
  RefundPeriodField,
  TaxRateFields,
  WaiverFields,
} from '~/features/desk/site/sale-rule-fields'
import { SampleCourseForms } from '~/features/desk/site/sample-course-forms'
import { siteActions } from '~/features/desk/site/site-actions.server'
import { loadSitePage, type SitePageData } from '~/features/desk/site/site-page.server'
import { SitePartCard } from '~/features/desk/site/site-part-card'
import { TimeZoneFields } from '~/features/desk/site/time-zone-fields'
import { ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Field } from '~/ui/form/field'
import type { Route } from './+types/site'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'manage site')
  return loadSitePage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage site')
  return handleDeskForm(args.request, desk, siteActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function SiteRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <SiteView {...loaderData} />
    </DeskPage>
  )
}

function SiteView(page: SitePageData) {
  return (
    <>
      <DeskTitle
        intro="How the school presents itself. A change shows within two seconds, and can be undone."
        side={
          <Link to="/Desk/Site/History" className="link">
            All changes
          </Link>
        }
      >
        Site
      </DeskTitle>
      <AppearanceSection page={page} />
      <PagesSection pages={page.pages} />
      <HomeSection page={page} />
      <Section title="Time zone">
        <SitePartCard {...getPartProps(page, 'timeZone')}>
          <TimeZoneFields timeZone={page.timeZone} timeZones={page.timeZones} />
        </SitePartCard>
      </Section>
      {page.sampleCourses.published + page.sampleCourses.withdrawn > 0 && (
        <Section title="Sample courses">
          <SampleCourseForms {...page.sampleCourses} />
        </Section>
      )}
      <Section title="Certificates">
        <SitePartCard {...getPartProps(page, 'certificateNames')}>
          <CertificateNameField certificateNames={page.values.certificateNames ?? 'school'} />
        </SitePartCard>
      </Section>
      <MoneySection page={page} />
      <MailSection page={page} />
    </>
  )
}

/** Returns the properties that `SitePartCard` needs. */
function getPartProps({ parts, changes }: SitePageData, part: keyof SitePageData['parts']) {
  return { part, ...parts[part], lastChange: changes[part] }
}

function AppearanceSection({ page }: { page: SitePageData }) {
  const { values, accentFields, contrast, pictures, siteName, footerLimits } = page

  return (
    <Section title="Name and look">
      <div className="grid gap-3">
        <SitePartCard {...getPartProps(page, 'name')}>
          <TextField
            name="name"
            label="Name of the school"
            value={values.name}
            maxLength={60}
            hint="In the header, titles, emails, certificates and shared links. Leave it empty for “Learnify”."
          />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'description')}>
          <TextField
            name="description"
            label="Description"
            value={values.description}
            maxLength={200}
            hint="For search engines and shared links, and in the footer. About 160 characters are shown."
          />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'accent')}>
          <AccentFields accent={accentFields} contrast={contrast} />
        </SitePartCard>
        {pictureParts.map(({ name, hint, sizeClasses }) => (
          <SitePartCard key={name} {...getPartProps(page, name)} encType="multipart/form-data">
            <PictureFields pictureUrl={pictures[name]} hint={hint} sizeClasses={sizeClasses} />
          </SitePartCard>
        ))}
        <SitePartCard {...getPartProps(page, 'footer')}>
          <FooterFields columns={values.footer} siteName={siteName} limits={footerLimits} />
        </SitePartCard>
      </div>
    </Section>
  )
}

const pictureParts = [
  {
    name: 'logo',
    hint: 'In the header, on certificates and on pictures of shared courses. A wide logo replaces the name, a square one stands beside it. Best with a transparent background.',
    sizeClasses: 'h-12',
  },
  {
    name: 'logoDark',
    hint: 'Only if the logo can’t be seen on a dark background: of the dark theme, and of pictures of shared courses.',
    sizeClasses: 'h-12',
  },
  {
    name: 'icon',
    hint: 'Square: in the browser’s tab and on the home screens of phones.',
    sizeClasses: 'size-16',
  },
  {
    name: 'sharePicture',
    hint: 'Shown where a page of the school is shared. Cut to 1200 × 630 pixels.',
    sizeClasses: 'aspect-[1200/630] w-64 max-w-full',
  },
] as const

function PagesSection({ pages }: Pick<SitePageData, 'pages'>) {
  return (
    <Section title="Pages">
      <ul className="card divide-y divide-line">
        {pages.map(({ slug, title, path, hasOwnerText, change }) => (
          <li
            key={slug}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3"
          >
            <span className="min-w-0">
              <Link to={`/Desk/Site/Pages/${slug}`} className="link [overflow-wrap:anywhere]">
                {title}
              </Link>
              <span className="block text-muted text-sm">{path}</span>
            </span>
            <span className="text-muted text-sm">
              {hasOwnerText && change ? (
                <>
                  Changed <Time at={change.at} />
                </>
              ) : (
                'Learnify’s own text'
              )}
            </span>
          </li>
        ))}
      </ul>
      <ButtonLink to="/Desk/Site/Pages/new" variant="secondary" className="mt-4">
        Add a page
      </ButtonLink>
    </Section>
  )
}

function HomeSection({ page }: { page: SitePageData }) {
  const { values, homeTexts } = page

  return (
    <Section title="Home">
      <div className="grid gap-3">
        <SitePartCard {...getPartProps(page, 'hero')}>
          <HeroFields {...homeTexts} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'home')}>
          <HomeFields home={values.home ?? { numbers: 'own', testimonials: 'own' }} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'features')}>
          <FeatureFields {...homeTexts} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'categoryCards')}>
          <CategoryCardFields {...homeTexts} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'testimonials')}>
          <TestimonialFields {...homeTexts} />
        </SitePartCard>
      </div>
    </Section>
  )
}

function MoneySection({ page }: { page: SitePageData }) {
  return (
    <Section title="Money" id="money">
      <div className="grid gap-3">
        <SitePartCard {...getPartProps(page, 'seller')}>
          <SellerFields seller={page.seller} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'currency')} lockedReason={page.currencyLockedReason}>
          <CurrencyFields currency={page.currency} currencies={page.currencies} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'payments')}>
          <PaymentFields payments={page.payments} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'taxRates')}>
          <TaxRateFields taxRates={page.taxRates} countries={page.countries} />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'withdrawalDays')}>
          <RefundPeriodField
            part="withdrawalDays"
            days={page.refundDays.withdrawal}
            label="Days for a withdrawal"
            hint="For this many days after paying, buyers can withdraw, which gives their money back at once. 0 for never."
          />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'refundDays')}>
          <RefundPeriodField
            part="refundDays"
            days={page.refundDays.refund}
            label="Days for a refund request"
            hint="For this many days after paying, buyers can ask for a refund, about which you decide. 0 for never."
          />
        </SitePartCard>
        <SitePartCard {...getPartProps(page, 'waiver')}>
          <WaiverFields waiver={page.waiver} />
        </SitePartCard>
      </div>
    </Section>
  )
}

function MailSection({ page }: { page: SitePageData }) {
  return (
    <Section title="Mail" id="mail">
      <div className="grid gap-3">
        <SitePartCard {...getPartProps(page, 'sender')}>
          <SenderFields sender={page.sender} />
        </SitePartCard>
        <div className="card grid gap-4 p-5">
          {page.lacksMailServer ? (
            <p>
              No mail leaves this site yet: have its operator set <code>SMTP_URL</code>. Waiting
              mail is sent then.
            </p>
          ) : (
            <>
              <p className="text-muted [overflow-wrap:anywhere]">
                Mail goes to {page.mailDelivery}.
              </p>
              <ActionForm
                intent="testMail"
                buttonText="Send me a test"
                hiddenValues={{ sure: 'on' }}
              />
            </>
          )}
        </div>
      </div>
    </Section>
  )
}

type TextFieldProps = {
  /** The name of the field and of the part's action. */
  name: string
  label: string
  value: string | null
  maxLength: number
  hint: string
}

/** Shows the field of a part that consists of one text. */
function TextField({ name, value, ...field }: TextFieldProps) {
  const submittedValues = useSubmittedValues(name)
  return (
    <Field
      {...field}
      name={name}
      defaultValue={submittedValues?.[name] ?? value ?? ''}
      autoComplete="off"
    />
  )
}
