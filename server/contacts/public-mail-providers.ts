/** Providers with a domain in many countries: `yahoo.de`, `hotmail.co.uk`. */
const FAMILIES =
  /^(?:aol|email|gmx|googlemail|hotmail|live|lycos|msn|outlook|rocketmail|terra|tiscali|windowslive|yahoo|yandex|ymail)\.[a-z]{2,4}(?:\.[a-z]{2})?$/;

/** Other domains where anyone can have an address, grouped by country and kind of provider. */
const PROVIDERS = new Set(
  `gmail.com google-mail.com icloud.com me.com mac.com privaterelay.appleid.com duck.com mozmail.com passport.com
  proton.me protonmail.com protonmail.ch pm.me passmail.net passmail.com passinbox.com
  tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me
  fastmail.com fastmail.fm hey.com hushmail.com hush.com runbox.com startmail.com mailfence.com disroot.org riseup.net
  posteo.de posteo.net mailbox.org zoho.com zohomail.com zoho.eu mail.com usa.com europe.com inbox.com aim.com
  netscape.net juno.com netzero.net excite.com rediffmail.com rediff.com lycos.com care2.com pobox.com
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net swbell.net cox.net charter.net
  earthlink.net mindspring.com optonline.net optimum.net roadrunner.com rr.com frontier.com frontiernet.net
  windstream.net centurylink.net embarqmail.com q.com suddenlink.net prodigy.net
  shaw.ca rogers.com sympatico.ca telus.net videotron.ca cogeco.ca bell.net
  btinternet.com btopenworld.com ntlworld.com virginmedia.com virgin.net blueyonder.co.uk sky.com talktalk.net
  tesco.net freeserve.co.uk plusnet.com o2.co.uk eircom.net
  web.de t-online.de freenet.de arcor.de online.de 1und1.de unitybox.de vodafonemail.de kabelmail.de magenta.de
  bluewin.ch hispeed.ch sunrise.ch swissonline.ch chello.at aon.at a1.net liwest.at
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr club-internet.fr numericable.fr voila.fr aliceadsl.fr
  libero.it virgilio.it alice.it tin.it tim.it iol.it inwind.it fastwebnet.it poste.it
  telefonica.net movistar.es ono.com sapo.pt clix.pt mail.telepac.pt telenet.be skynet.be proximus.be scarlet.be
  ziggo.nl kpnmail.nl kpnplanet.nl planet.nl home.nl xs4all.nl hetnet.nl chello.nl casema.nl upcmail.nl zonnet.nl
  telia.com comhem.se bredband.net spray.se online.no start.no broadpark.no mail.dk tdcadsl.dk jubii.dk stofanet.dk
  luukku.com kolumbus.fi elisanet.fi suomi24.fi
  wp.pl o2.pl onet.pl onet.eu interia.pl interia.eu op.pl vp.pl poczta.fm gazeta.pl tlen.pl
  seznam.cz centrum.cz email.cz post.cz atlas.cz volny.cz azet.sk centrum.sk zoznam.sk freemail.hu citromail.hu
  abv.bg mail.bg inbox.lv one.lt mail.ee hot.ee otenet.gr forthnet.gr
  mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru ya.ru narod.ru ukr.net i.ua meta.ua tut.by
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn 21cn.com aliyun.com tom.com
  naver.com hanmail.net daum.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp
  nifty.com biglobe.ne.jp ocn.ne.jp so-net.ne.jp pchome.com.tw hinet.net netvigator.com singnet.com.sg
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au ozemail.com.au westnet.com.au internode.on.net
  xtra.co.nz slingshot.co.nz webmail.co.za mweb.co.za telkomsa.net vodamail.co.za
  uol.com.br bol.com.br ig.com.br globo.com globomail.com oi.com.br r7.com prodigy.net.mx fibertel.com.ar arnet.com.ar
  ciudad.com.ar speedy.com.ar vtr.net walla.co.il walla.com netvision.net.il 012.net.il sify.com indiatimes.com
  mailinator.com guerrillamail.com 10minutemail.com temp-mail.org yopmail.com trashmail.com maildrop.cc`.split(
    /\s+/,
  ),
);

/**
 * Returns whether anyone can have an address of this domain, so that the domain identifies no company.
 * @param domain as `parseDomain` returns it
 */
export function isPublicMailProvider(domain: string): boolean {
  return FAMILIES.test(domain) || PROVIDERS.has(domain);
}
