// Texts of demo conversations. People are fictitious, addresses end in .test and .example.

export const FIRST_NAMES = (
  'Amelia,Noah,Sofia,Liam,Yuki,Mateo,Zofia,Omar,Ingrid,Luca,Fatima,Jonas,Chloé,Ravi,Hanna,Tomás,Aylin,Pavel,Niamh,Kwame,' +
  'Elif,Søren,Beatriz,Minh,Greta,Andrés,Leila,Oskar,Priya,Hugo,Nadia,Viktor,Emma,Kenji,Rosa,Darius,Ewa,Malik,Ida,Diego,' +
  'Mira,Anton,Salma,Felix,Jana,Ibrahim,Clara,Sven,Lucía,Arjun'
).split(',');

export const LAST_NAMES = (
  'Weber,Nowak,Silva,Tanaka,García,Okafor,Lindqvist,Rossi,Haddad,Kowalska,Dubois,Patel,Müller,Fernández,Yılmaz,Novák,' +
  "O'Brien,Mensah,Demir,Nielsen,Costa,Nguyen,Schäfer,Moreno,Rahimi,Berg,Sharma,Laurent,Petrova,Jensen,Sato,Ortiz,Popescu," +
  'Kaya,Hansen,Ferreira,Bauer,Ivanova,Keller,Romero,Ali,Fischer,Marino,Eriksson,Vega,Khan,Peeters,Conti,Virtanen,Díaz'
).split(',');

export const DOMAINS = (
  'mail.example,post.example,northwind.test,contoso-shop.test,lakeside.test,bluebird.test,riverbank.test,oakfield.test,' +
  'sunrise-books.test,harbour.test,atelier.test,greenhouse.test'
).split(',');

export const PRODUCTS = (
  'desk lamp,coffee grinder,rain jacket,backpack,office chair,headphones,keyboard,water bottle,running shoes,bookshelf,' +
  'tea kettle,camera strap,notebook set,bike light,standing desk,wool blanket,phone case,travel mug,monitor arm,sunglasses'
).split(',');

/** `%p` is a product, `%o` an order number. */
export const SUBJECTS = (
  'Where is my order %o?|Refund for the %p|The %p arrived broken|Change of delivery address|Invoice for order %o|' +
  'Wrong colour of %p|Question about the %p|Cancel order %o please|Warranty of the %p|Discount code does not work|' +
  'Delivery on Saturday?|Exchange for another size|Account cannot be opened|Double payment for %o|Missing part of the %p|' +
  'Bulk order of %p|Feedback on your service|Newsletter: please stop it|VAT number on the invoice|Gift wrapping for %o'
).split('|');

export const QUESTIONS = (
  'Hello, I ordered the %p two weeks ago (order %o) and it still has not arrived. Can you tell me where it is?|' +
  'Hi there, the %p from order %o came with a scratch on one side. I would like a replacement or my money back.|' +
  'Good morning, could you please send the invoice for %o again? Our accounting needs it with the company address.|' +
  'I was charged twice for %o. Please look into this, the second payment should be refunded.|' +
  'Is the %p available in green as well? And how long does delivery to Finland take?|' +
  'My discount code is refused at the checkout although it is valid until the end of the month.|' +
  'Please cancel %o, I ordered the wrong size of %p by mistake.|' +
  'I moved last week. Can %o still be sent to the new address?|' +
  'The %p does not switch on any more after three days. What does the warranty cover?|' +
  'Thanks for the quick help last time! One more thing: can I return the %p in a shop?'
).split('|');

export const ANSWERS = (
  'Thank you for writing to us. I have looked up %o: it left our warehouse yesterday and should reach you tomorrow.|' +
  'I am sorry to hear that. A new %p is on its way to you, and you need not send the old one back.|' +
  'The invoice is attached to this message. Let us know if anything else is missing.|' +
  'You are right, the second payment was a mistake on our side. The refund takes three to five working days.|' +
  'Yes, it is. Delivery takes four working days, and you can follow it with the link in the confirmation.|' +
  'I have changed the address of %o for you. Have a nice day!|' +
  'The order is cancelled and nothing will be charged.|' +
  'The warranty covers this for two years. Could you send us a photo of the %p, please?'
).split('|');

export const THANKS = (
  'Great, thank you very much!|That was quick, thanks. I will wait for the parcel then.|It still has not arrived, could you check again?|' +
  'Perfect, everything is fine now.|Here is the photo you asked for. The %p is from %o.|When will the refund be in my account?|' +
  'Thanks, but that is not what I asked. Could a colleague have a look?|All good, you can close this.'
).split('|');

/** From the most to the least frequent. */
export const TAGS = (
  'Refund,Delivery,Invoice,VIP,Return,Warranty,Product question,Complaint,Address change,Payment,Bulk order,Feedback,' +
  'Discount,Account,Lost parcel,Press,Partner,Recall 2025'
).split(',');
